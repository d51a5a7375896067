// Counts digit by digit, then tries every heap.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in), 1 << 16);
        int n = Integer.parseInt(in.readLine().trim());
        StringTokenizer words = new StringTokenizer(in.readLine());
        long[] a = new long[n];
        int[] count = new int[63];
        for (int i = 0; i < n; i++) {
            a[i] = Long.parseLong(words.nextToken());
            for (int b = 0; b < 63; b++) count[b] += (a[i] >> b) & 1;
        }
        boolean lost = true;
        for (int c : count) lost &= c % 3 == 0;
        if (lost) {
            System.out.println("C");
            return;
        }
        for (long v : a) {
            long y = 0;
            boolean possible = true;
            for (int b = 0; b < 63 && possible; b++) {
                int rest = (int) ((count[b] - ((v >> b) & 1)) % 3);
                if (rest == 1) possible = false;
                if (rest == 2) y |= 1L << b;
            }
            if (possible && y < v) {
                System.out.println("A");
                return;
            }
        }
        System.out.println("B");
    }
}
