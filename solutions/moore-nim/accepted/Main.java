// Counts digit by digit.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer words = new StringTokenizer(in.readLine());
        int n = Integer.parseInt(words.nextToken()), k = Integer.parseInt(words.nextToken());
        words = new StringTokenizer(in.readLine());
        int[] count = new int[60];
        while (n-- > 0) {
            long a = Long.parseLong(words.nextToken());
            for (int b = 0; b < 60; b++) if ((a >> b & 1) == 1) count[b]++;
        }
        String answer = "No";
        for (int c : count) if (c % (k + 1) != 0) answer = "Yes";
        System.out.println(answer);
    }
}
