// Too slow: computes the Grundy value of every heap size by the definition.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), k = in.nextInt(), nimSum = 0;
        int[] grundy = new int[1_000_001], seen = new int[k + 2];
        int known = 0;
        for (int i = 0; i < n; i++) {
            int a = in.nextInt();
            for (; known < a; known++) {
                int size = known + 1, value = 0;
                for (int taken = 1; taken <= k && taken <= size; taken++) seen[grundy[size - taken]] = size;
                while (seen[value] == size) value++;
                grundy[size] = value;
            }
            nimSum ^= grundy[a];
        }
        System.out.println(nimSum == 0 ? "Second" : "First");
    }
}
