// Counts the winning moves, of which there are two kinds: take stones down from an odd step, or bring
// stones from the even step above it. Reads a local file unless the judge says it is one.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
#ifndef ONLINE_JUDGE
    freopen("stairs.in", "r", stdin);
#endif
    int n;
    cin >> n;
    vector<long long> a(n + 2);
    long long x = 0;
    for (int i = 1; i <= n; i++) {
        cin >> a[i];
        if (i & 1) x ^= a[i];
    }
    int moves = 0;
    if (x)
        for (int i = 1; i <= n; i += 2) {
            long long want = a[i] ^ x;
            if (want < a[i]) moves++;
            else if (want - a[i] <= a[i + 1]) moves++;
        }
    cout << (moves ? "Yes" : "No") << "\n";
}
