// Bottom-up table; marks carry the size they belong to, so they need not be cleared.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int k = in.nextInt();
        int[] s = new int[k];
        for (int i = 0; i < k; i++) s[i] = in.nextInt();
        int[] g = new int[10001], mark = new int[102];
        for (int h = 1; h <= 10000; h++) {
            for (int v : s) if (v <= h) mark[g[h - v]] = h;
            while (mark[g[h]] == h) g[h]++;
        }
        int n = in.nextInt(), x = 0;
        while (n-- > 0) x ^= g[in.nextInt()];
        System.out.println(x != 0 ? "Yes" : "No");
    }
}
