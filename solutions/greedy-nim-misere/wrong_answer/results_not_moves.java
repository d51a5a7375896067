// Mistake: counts the new sizes of a largest heap once, and not for each of the largest heaps.
import java.io.*;
import java.util.*;

public class Main {
    static boolean lost(long size, long count) {
        if (size == 0) return false;
        return size == 1 ? count % 2 == 1 : count % 2 == 0;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine().trim());
        TreeMap<Long, Long> heaps = new TreeMap<>();
        StringTokenizer words = new StringTokenizer(in.readLine());
        for (int i = 0; i < n; i++) {
            long v = Long.parseLong(words.nextToken());
            if (v > 0) heaps.merge(v, 1L, Long::sum);
        }
        if (heaps.isEmpty()) {
            System.out.println("Yes 0");
            return;
        }
        long top = heaps.lastKey(), count = heaps.get(top), moves = 0;
        if (count > 1) {
            if (lost(top, count - 1)) moves = top;
        } else {
            Long second = heaps.lowerKey(top);
            if (second == null || second == 1) moves = top > 1 ? 1 : 0;
            else moves = heaps.get(second) % 2 == 1 ? 1 : second;
        }
        System.out.println((lost(top, count) ? "No " : "Yes ") + moves);
    }
}
