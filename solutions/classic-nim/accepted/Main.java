// Plain xor, read with a Scanner as most contestants do.
import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        int x = 0;
        while (n-- > 0) {
            x ^= in.nextInt();
        }
        System.out.println(x != 0 ? "Yes" : "No");
    }
}
