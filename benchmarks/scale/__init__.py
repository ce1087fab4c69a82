"""Carrying out policies on problems of 1,000 to 100,000 objects: does a step's time grow?"""
