def solve(:
    pass
