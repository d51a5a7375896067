// Mistake: doesn't see that no heap has a residue above r, though the xor of two residues may be.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer words = new StringTokenizer(in.readLine());
        int n = Integer.parseInt(words.nextToken());
        long m = Long.parseLong(words.nextToken()) + 1, x = 0;
        words = new StringTokenizer(in.readLine());
        long[] a = new long[n];
        for (int i = 0; i < n; i++) x ^= (a[i] = Long.parseLong(words.nextToken())) % m;
        int count = 0;
        for (long v : a) {
            long target = v % m ^ x;
            if (target < v % m || target > v % m && v >= m) count++;
        }
        System.out.println(count);
    }
}
