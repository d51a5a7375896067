using System;
using System.Linq;

public static class Program {
    public static void Main() {
        int n = int.Parse(Console.ReadLine());
        Console.WriteLine(Console.ReadLine().Split(' ').Take(n).Select(long.Parse).Sum());
    }
}
