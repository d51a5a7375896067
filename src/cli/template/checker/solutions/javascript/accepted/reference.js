// The reference solution: looks up the other number of each pair.
function solve() {
    const [n, t, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
    const places = new Map();
    for (let j = 0; j < n; j++) {
        const i = places.get(t - a[j]);
        if (i !== undefined) return [i + 1, j + 1];
        places.set(a[j], j);
    }
    return [0, 0];
}

console.log(solve().join(' '));
