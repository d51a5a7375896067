// Wrong answer: allows an empty part, whose sum is 0.

import java.io.*;

public class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        in.nextToken();
        int n = (int) in.nval;
        long[] a = new long[n];
        for (int i = 0; i < n; i++) {
            in.nextToken();
            a[i] = (long) in.nval;
        }
        long best = 0, endingHere = 0;
        for (long x : a) {
            endingHere = x + Math.max(endingHere, 0);
            best = Math.max(best, endingHere);
        }
        System.out.println(best);
    }
}
