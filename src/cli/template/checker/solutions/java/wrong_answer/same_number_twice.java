// Wrong answer: takes the same number twice.

import java.io.*;
import java.util.HashMap;

public class Main {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        int n = next(in), t = next(in);
        int[] a = new int[n];
        for (int i = 0; i < n; i++) a[i] = next(in);
        HashMap<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < n; i++) places.put(a[i], i);
        for (int j = 0; j < n; j++) {
            Integer i = places.get(t - a[j]);
            if (i != null) {
                System.out.println((j + 1) + " " + (i + 1));
                return;
            }
        }
        System.out.println("0 0");
    }

    static int next(StreamTokenizer in) throws IOException {
        in.nextToken();
        return (int) in.nval;
    }
}
