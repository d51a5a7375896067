// Brent's cycle finding on windows, in constant memory except for the windows; then the preperiod with two pointers one period apart.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <vector>

static std::vector<int> moves;
static size_t longest;

// The last values, the newest first; before the first heap there is nothing to move to.
struct Runner {
    std::deque<int> last;
    void step() {
        unsigned reached = 0;
        for (int s : moves)
            if ((size_t)s <= last.size()) reached |= 1u << last[s - 1];
        last.push_front(__builtin_ctz(~reached));
        if (last.size() > longest) last.pop_back();
    }
    static Runner filled() {
        Runner runner;
        while (runner.last.size() < longest) runner.step();
        return runner;
    }
};

int main() {
    int k;
    long long h;
    if (scanf("%d", &k) != 1) return 1;
    moves.resize(k);
    for (auto &s : moves)
        if (scanf("%d", &s) != 1) return 1;
    if (scanf("%lld", &h) != 1) return 1;
    longest = *std::max_element(moves.begin(), moves.end());
    Runner slow = Runner::filled(), fast = slow;
    long long power = 1, period = 1, preperiod = 0;
    for (fast.step(); fast.last != slow.last; fast.step(), period++)
        if (power == period) slow = fast, power *= 2, period = 0;
    slow = fast = Runner::filled();
    for (long long i = 0; i < period; i++) fast.step();
    for (; fast.last != slow.last; preperiod++) slow.step(), fast.step();
    long long place = h < preperiod ? h : preperiod + (h - preperiod) % period;
    // A full window begins at 0 and ends at its newest value.
    Runner runner;
    for (long long i = 0; i <= place; i++) runner.step();
    printf("%lld %lld %d\n", preperiod, period, runner.last.front());
}
