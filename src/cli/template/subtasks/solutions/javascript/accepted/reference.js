// The reference solution: the best sum that ends at each position.
const [n, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let best = -Infinity;
let endingHere = 0;
for (const x of a) {
    endingHere = x + Math.max(endingHere, 0);
    best = Math.max(best, endingHere);
}
console.log(best);
