// Wrong answer: takes the same number twice.
function solve() {
    const [n, t, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
    const places = new Map(a.map((x, i) => [x, i]));
    for (let j = 0; j < n; j++) {
        const i = places.get(t - a[j]);
        if (i !== undefined) return [j + 1, i + 1];
    }
    return [0, 0];
}

console.log(solve().join(' '));
