// Evaluates an endless constant expression at compile time.
// expect A B: any
constexpr long spin(long n) {
    long sum = 0;
    for (long i = 0; i < n; i++) sum += i % 7;
    return sum;
}
constexpr long value = spin(1L << 60);
int main() { return value; }
