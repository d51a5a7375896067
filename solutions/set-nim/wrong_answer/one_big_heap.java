// Mistake: finds won and lost sizes of a single heap, and judges several by the parity of the won ones.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int k = in.nextInt();
        int[] s = new int[k];
        for (int i = 0; i < k; i++) s[i] = in.nextInt();
        boolean[] won = new boolean[10001];
        for (int h = 1; h <= 10000; h++)
            for (int v : s) if (v <= h && !won[h - v]) won[h] = true;
        int n = in.nextInt(), count = 0;
        while (n-- > 0) if (won[in.nextInt()]) count++;
        System.out.println(count % 2 == 1 ? "Yes" : "No");
    }
}
