// Mistake: reads the sizes as floating-point numbers, which round from 2^53 on.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map((w) => BigInt(Number(w)));
const x = heaps.reduce((sum, a) => sum ^ a, 0n);
console.log(heaps.filter((a) => (a ^ x) < a).length);
