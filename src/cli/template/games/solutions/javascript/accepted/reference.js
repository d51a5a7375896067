// The reference solution: the nim-sum of the remainders modulo k + 1 decides.
const [n, k, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const nimSum = heaps.slice(0, n).reduce((sum, a) => sum ^ (a % (k + 1)), 0);
console.log(nimSum === 0 ? 'Second' : 'First');
