// Mistake: computes residues in floating point, which is not exact above 2^53.
const [n, r, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const residues = heaps.map((a) => BigInt(a % (r + 1)));
const x = residues.reduce((sum, v) => sum ^ v, 0n);
const count = residues.filter((v, i) => (v ^ x) < v || ((v ^ x) > v && (v ^ x) <= BigInt(r) && heaps[i] > r)).length;
console.log(count);
