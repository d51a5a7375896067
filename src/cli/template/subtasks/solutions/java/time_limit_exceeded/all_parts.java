// Too slow for the last subtask: tries all parts.

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
        long best = Long.MIN_VALUE;
        for (int from = 0; from < n; from++) {
            long sum = 0;
            for (int i = from; i < n; i++) {
                sum += a[i];
                best = Math.max(best, sum);
            }
        }
        System.out.println(best);
    }
}
