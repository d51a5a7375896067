// Wrong answer: ignores that a move takes at most k stones.
const [n, k, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const nimSum = heaps.slice(0, n).reduce((sum, a) => sum ^ a, 0);
console.log(nimSum === 0 ? 'Second' : 'First');
