"""Which mistakes in a table would its test cases not notice?"""
