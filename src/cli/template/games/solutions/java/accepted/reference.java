// The reference solution: the nim-sum of the remainders modulo k + 1 decides.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), k = in.nextInt(), nimSum = 0;
        for (int i = 0; i < n; i++) nimSum ^= in.nextInt() % (k + 1);
        System.out.println(nimSum == 0 ? "Second" : "First");
    }
}
