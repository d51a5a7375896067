#!/usr/bin/env python3
from unit import UNIT


def twice(number):
    return number + UNIT
