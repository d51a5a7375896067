// Mistake: finds for each token whether it alone is won, and judges by the parity of the won ones.
// Two won tokens cancel only if their Grundy values are equal.
import java.util.*;

public class Main {
    static List<List<Integer>> to = new ArrayList<>();
    static Boolean[] memo;

    static boolean won(int u) {
        if (memo[u] == null) {
            boolean w = false;
            for (int v : to.get(u)) if (!won(v)) w = true;
            memo[u] = w;
        }
        return memo[u];
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), m = in.nextInt(), k = in.nextInt();
        for (int i = 0; i <= n; i++) to.add(new ArrayList<>());
        memo = new Boolean[n + 1];
        while (m-- > 0) to.get(in.nextInt()).add(in.nextInt());
        boolean first = false;
        while (k-- > 0) first ^= won(in.nextInt());
        System.out.println(first ? "win" : "lose");
    }
}
