// Computes one nim-sum for the odd steps and one for the even steps, and uses the first.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine().trim());
        StringTokenizer words = new StringTokenizer(in.readLine());
        int[] byParity = new int[2];
        for (int i = 1; i <= n; i++) {
            byParity[i % 2] ^= Integer.parseInt(words.nextToken());
        }
        System.out.println(byParity[1] != 0 ? "Yes" : "No");
    }
}
