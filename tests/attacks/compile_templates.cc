// Instantiates templates recursively without end.
// expect A B: any
template <int n, int m> struct T { static const int value = T<n - 1, m>::value + T<n - 1, m + 1>::value; };
template <int m> struct T<0, m> { static const int value = m; };
int main() { return T<800, 0>::value; }
