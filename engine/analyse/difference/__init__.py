"""Which calls do two tables decide otherwise?"""
