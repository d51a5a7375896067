// Plain xor in a package, with a helper before the class to run, which is not called Main and not named after the file.
package com.example.games;

import java.io.*;

class Reader {
    private final StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));

    int next() throws IOException {
        in.nextToken();
        return (int) in.nval;
    }
}

public class P891_Nim {
    public static void main(String[] args) throws IOException {
        Reader in = new Reader();
        int n = in.next(), x = 0;
        for (int i = 0; i < n; i++) x ^= in.next();
        System.out.print(x == 0 ? "No" : "Yes");
    }
}
