// Lost if and only if the number of heaps is even and the sizes less one have nim-sum zero: the Grundy value of a
// is 2(a - 1), plus one if a - 1 has an even number of binary ones. If the xor of all a - 1 is zero, heaps with an odd
// number of ones come in an even number, so the last bits cancel exactly when the number of heaps is even.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const x = heaps.reduce((sum, a) => sum ^ (a - 1), 0);
console.log(n % 2 === 1 || x !== 0 ? 'Yes' : 'No');
