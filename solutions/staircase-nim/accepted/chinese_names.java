// The class has a Chinese name and a package of its own.
package 博弈;

import java.util.Scanner;

public class 台阶游戏 {
    public static void main(String[] args) {
        Scanner 输入 = new Scanner(System.in);
        int n = 输入.nextInt(), 异或和 = 0;
        for (int i = 1; i <= n; i++) {
            int 石子 = 输入.nextInt();
            if (i % 2 == 1) 异或和 ^= 石子;
        }
        System.out.println(异或和 == 0 ? "No" : "Yes");
    }
}
