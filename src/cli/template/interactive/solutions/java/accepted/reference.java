// The reference solution: halves the range with each guess.

import java.util.Scanner;

public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int low = 1, high = 1000;
        while (low <= high) {
            int guess = (low + high) / 2;
            System.out.println(guess);
            System.out.flush(); // otherwise the interactor may wait for a line that is still in a buffer
            if (!in.hasNext()) return;
            String reply = in.next();
            if (reply.equals("less")) high = guess - 1;
            else if (reply.equals("more")) low = guess + 1;
            else return;
        }
    }
}
