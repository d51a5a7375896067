// Mistake: the two new heaps must differ, as in Grundy's game.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        int[] g = new int[101];
        for (int a = 1; a <= 100; a++) {
            Set<Integer> seen = new HashSet<>();
            for (int b = 0; b < a; b++)
                for (int c = 0; c < b; c++) seen.add(g[b] ^ g[c]);
            while (seen.contains(g[a])) g[a]++;
        }
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), x = 0;
        while (n-- > 0) x ^= g[in.nextInt()];
        System.out.println(x != 0 ? "Yes" : "No");
    }
}
