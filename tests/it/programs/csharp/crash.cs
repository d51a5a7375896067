class Crash {
    static int Main() {
        return 3;
    }
}
