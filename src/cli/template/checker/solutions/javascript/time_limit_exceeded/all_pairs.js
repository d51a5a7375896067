// Too slow: tries all pairs.
function solve() {
    const [n, t, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
    for (let j = 0; j < n; j++)
        for (let i = 0; i < j; i++)
            if (a[i] + a[j] === t) return [i + 1, j + 1];
    return [0, 0];
}

console.log(solve().join(' '));
