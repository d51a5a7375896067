// Causes an endless stream of diagnostics.
// expect A B: any
template <int n> struct T { void f() { undefined(n); undefined(n); T<n - 1>().f(); } };
template <> struct T<0> { void f() {} };
int main() { T<850>().f(); }
