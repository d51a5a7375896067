// Too slow for the last subtask: tries all parts.
const [n, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let best = -Infinity;
for (let from = 0; from < n; from++) {
    let sum = 0;
    for (let i = from; i < n; i++) {
        sum += a[i];
        best = Math.max(best, sum);
    }
}
console.log(best);
