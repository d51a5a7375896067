// Memoised recursion in Java: as deep as the longest path.
import java.util.*;

public class Main {
    static List<Integer>[] to;
    static int[] memo;

    static int sg(int u) {
        if (memo[u] >= 0) return memo[u];
        Set<Integer> seen = new HashSet<>();
        for (int v : to[u]) seen.add(sg(v));
        int g = 0;
        while (seen.contains(g)) g++;
        return memo[u] = g;
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), m = in.nextInt(), k = in.nextInt();
        to = new List[n + 1];
        for (int i = 0; i <= n; i++) to[i] = new ArrayList<>();
        for (int i = 0; i < m; i++) {
            int x = in.nextInt();
            to[x].add(in.nextInt());
        }
        memo = new int[n + 1];
        Arrays.fill(memo, -1);
        int x = 0;
        while (k-- > 0) x ^= sg(in.nextInt());
        System.out.println(x == 0 ? "lose" : "win");
    }
}
