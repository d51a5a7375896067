// Mistake: looks for a move that leaves nim-sum zero, but tries to take powers of two only.
// From 1 2 the one stone that must go from the heap of two is found; from 3 6 the three from the heap of six are not.
import java.util.*;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), x = 0;
        int[] a = new int[n];
        for (int i = 0; i < n; i++) x ^= a[i] = in.nextInt();
        for (int v : a)
            for (int take = 1; take <= v; take *= 2)
                if ((x ^ v ^ (v - take)) == 0) {
                    System.out.println("Yes");
                    return;
                }
        System.out.println("No");
    }
}
