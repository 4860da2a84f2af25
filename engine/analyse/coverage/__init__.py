"""What of a table do its test cases meet, and which cases would meet the rest?"""
