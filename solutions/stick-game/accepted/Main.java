// Marks forward from every lost number.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), k = in.nextInt();
        int[] p = new int[k];
        for (int i = 0; i < k; i++) p[i] = in.nextInt();
        char[] s = new char[n + 1];
        Arrays.fill(s, 'L');
        for (int i = 0; i <= n; i++)
            if (s[i] == 'L') for (int v : p) if (i + v <= n) s[i + v] = 'W';
        System.out.println(new String(s, 1, n));
    }
}
