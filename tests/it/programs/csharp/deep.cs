using System;

class Deep {
    static long Fold(long n) {
        return n == 0 ? 0 : (Fold(n - 1) / 2 + n) % 1000003;
    }

    static void Main() {
        Console.WriteLine(Fold(long.Parse(Console.ReadLine())));
    }
}
