// Mistake: looks at the lower 31 digits only.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int k = Integer.parseInt(in.readLine().split(" ")[1]);
        StringTokenizer words = new StringTokenizer(in.readLine());
        int[] count = new int[31];
        while (words.hasMoreTokens()) {
            long a = Long.parseLong(words.nextToken());
            for (int b = 0; b < 31; b++) count[b] += a >> b & 1;
        }
        boolean lost = true;
        for (int c : count) lost &= c % (k + 1) == 0;
        System.out.println(lost ? "No" : "Yes");
    }
}
