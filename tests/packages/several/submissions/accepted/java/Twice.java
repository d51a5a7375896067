class Twice {
    static int of(int n) {
        return 2 * n;
    }
}
