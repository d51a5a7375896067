class Broken {
    static void Main() {
        nowhere();
    }
}
