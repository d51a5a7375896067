// Too slow: tries all pairs.

import java.io.*;

public class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        int n = next(in), t = next(in);
        int[] a = new int[n];
        for (int i = 0; i < n; i++) a[i] = next(in);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < j; i++)
                if (a[i] + a[j] == t) {
                    System.out.println((i + 1) + " " + (j + 1));
                    return;
                }
        System.out.println("0 0");
    }

    static int next(StreamTokenizer in) throws IOException {
        in.nextToken();
        return (int) in.nval;
    }
}
