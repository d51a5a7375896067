// The reference solution: a heap counts as its remainder, and the remainders as in Nim.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), k = in.nextInt(), nimSum = 0;
        for (int i = 0; i < n; i++) nimSum ^= in.nextInt() % (k + 1);
        System.out.println(nimSum == 0 ? "Second" : "First");
    }
}
