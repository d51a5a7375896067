// Mistake: plays Nim on the sizes less one, which is half of the rule: an odd number of heaps is always won.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
console.log(heaps.reduce((sum, a) => sum ^ (a - 1), 0) ? 'Yes' : 'No');
