// Mistake: floating-point numbers can't tell 2^63 - 1 from 2^63 - 2.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const top = heaps.reduce((m, a) => Math.max(m, a), 0);
console.log(top > 0 && heaps.filter((a) => a === top).length % 2 ? 'Yes' : 'No');
