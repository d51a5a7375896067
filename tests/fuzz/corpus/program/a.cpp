#include <bits/stdc++.h>
using namespace std;
int main() { int n; cin >> n; vector<int> a(n); for (auto &x : a) cin >> x; int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; puts(s ? "Yes" : "No"); }
