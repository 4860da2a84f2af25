"""What is wrong with a table that loads: a module for each kind of finding, over one survey of all calls."""
