#!/usr/bin/env python3
def twice(number):
    return 2 * number
