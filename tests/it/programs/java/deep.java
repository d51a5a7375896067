import java.util.Scanner;

class Fold {
    static long fold(long n) {
        return n == 0 ? 0 : (fold(n - 1) / 2 + n) % 1000003;
    }
}

class Entry {
    public static void main(String[] args) {
        System.out.println(Fold.fold(new Scanner(System.in).nextLong()));
    }
}
