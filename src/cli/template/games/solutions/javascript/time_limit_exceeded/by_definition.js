// Too slow: computes the Grundy value of every heap size by the definition.
const [n, k, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const grundy = [];
for (let size = 0; size <= Math.max(...heaps); size++) {
    const reached = new Set(grundy.slice(Math.max(size - k, 0)));
    let value = 0;
    while (reached.has(value)) value++;
    grundy.push(value);
}
const nimSum = heaps.slice(0, n).reduce((sum, a) => sum ^ grundy[a], 0);
console.log(nimSum === 0 ? 'Second' : 'First');
