#!/usr/bin/env python3
# Of all files the first by name.
import twice

print(twice.twice(int(input())))
