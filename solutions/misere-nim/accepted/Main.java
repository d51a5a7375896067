// The rule, read with a Scanner.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        StringBuilder out = new StringBuilder();
        for (int t = in.nextInt(); t > 0; t--) {
            int n = in.nextInt(), x = 0, max = 0;
            for (int i = 0; i < n; i++) {
                int a = in.nextInt();
                x ^= a;
                max = Math.max(max, a);
            }
            boolean john = max <= 1 ? x == 0 : x != 0;
            out.append(john ? "John" : "Brother").append('\n');
        }
        System.out.print(out);
    }
}
