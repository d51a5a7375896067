// Mistake: decides between A and B by the highest digit that is not in balance; the lower ones may not be mendable.
import java.io.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        in.readLine();
        StringTokenizer words = new StringTokenizer(in.readLine());
        long ones = 0, twos = 0;
        while (words.hasMoreTokens()) {
            long v = Long.parseLong(words.nextToken());
            ones = (ones ^ v) & ~twos;
            twos = (twos ^ v) & ~ones;
        }
        System.out.println(ones == 0 && twos == 0 ? "C" : ones > twos ? "A" : "B");
    }
}
