// public class Wrong is in a comment
package games.nim;

import java.io.*;
import java.util.*;

class Helper {
    static String text = "public class AlsoWrong { public static void main(String[] args) {} }";
}

public class 取石子游戏 {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedInputStream(System.in));
        in.nextToken();
        int n = (int) in.nval;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            in.nextToken();
            sum += (long) in.nval;
        }
        System.out.println(sum);
    }
}
