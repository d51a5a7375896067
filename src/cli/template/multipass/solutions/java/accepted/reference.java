// The reference solution: writes the number in base 26 with the letters as digits.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        if (in.next().equals("encode")) {
            int x = in.nextInt();
            StringBuilder word = new StringBuilder();
            for (int i = 0; i < 5; i++) {
                word.append((char) ('a' + x % 26));
                x /= 26;
            }
            System.out.println(word);
        } else {
            String word = in.next();
            int x = 0;
            for (int i = word.length() - 1; i >= 0; i--) x = 26 * x + (word.charAt(i) - 'a');
            System.out.println(x);
        }
    }
}
