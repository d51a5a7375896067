def answer():
    return 7 * {{factor}}
