import java.util.*;
public class Main { record P(int x) {} static int f(int... a) { return a.length > 1 ? a[0] : -1; } public static void main(String[] s) { Scanner in = new Scanner(System.in); int n = in.nextInt(); switch (n) { case 1 -> System.out.println("one"); default -> System.out.println(n); } } }
