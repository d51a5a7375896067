// Wrong answer: ignores that a move takes at most k stones.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), k = in.nextInt(), nimSum = 0;
        for (int i = 0; i < n; i++) nimSum ^= in.nextInt();
        System.out.println(nimSum == 0 ? "Second" : "First");
    }
}
