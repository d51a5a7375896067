// One pass for the nim-sum, one for the heaps that can shrink.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine().trim());
        long[] a = Arrays.stream(in.readLine().trim().split(" ")).mapToLong(Long::parseLong).toArray();
        long x = 0;
        for (long v : a) x ^= v;
        int count = 0;
        for (int i = 0; i < n; i++) if ((a[i] ^ x) < a[i]) count++;
        System.out.println(count);
    }
}
