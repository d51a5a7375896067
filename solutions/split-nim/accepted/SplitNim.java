// Bottom-up table, every pair for every size.
import java.util.*;

public class SplitNim {
    public static void main(String[] args) {
        int[] g = new int[101];
        for (int a = 1; a <= 100; a++) {
            BitSet seen = new BitSet();
            for (int b = 0; b < a; b++)
                for (int c = 0; c <= b; c++) seen.set(g[b] ^ g[c]);
            g[a] = seen.nextClearBit(0);
        }
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), x = 0;
        for (int i = 0; i < n; i++) x ^= g[in.nextInt()];
        System.out.println(x != 0 ? "Yes" : "No");
    }
}
