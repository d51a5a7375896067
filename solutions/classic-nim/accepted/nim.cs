// Plain xor.
using System;

class Program {
    static void Main() {
        int n = int.Parse(Console.ReadLine());
        string[] words = Console.ReadLine().Split(' ');
        int x = 0;
        for (int i = 0; i < n; i++) x ^= int.Parse(words[i]);
        Console.WriteLine(x != 0 ? "Yes" : "No");
    }
}
