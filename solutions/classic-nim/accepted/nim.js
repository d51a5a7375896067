// Plain xor: the sizes fit 32-bit integers, which is what ^ works on in JavaScript.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
console.log(heaps.slice(0, n).reduce((x, a) => x ^ a, 0) ? 'Yes' : 'No');
