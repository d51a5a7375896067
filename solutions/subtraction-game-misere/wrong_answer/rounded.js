// Mistake: computes in floating point, which is not exact above 2^53.
const [n, r, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const m = r + 1;
const residues = heaps.map((a) => BigInt(a % m));
const x = residues.reduce((sum, v) => sum ^ v, 0n);
const big = residues.filter((v) => v > 1n).length;
let answer = '0 0';
for (let i = n - 1; i >= 0; i--) {
  const g = residues[i];
  let target = g ^ x;
  if (big - (g > 1n ? 1 : 0) === 0) target ^= 1n;
  const taken = target <= g ? g - target : g + BigInt(r) + 1n - target;
  if (target <= BigInt(r) && taken > 0n && taken <= BigInt(heaps[i])) answer = `${i + 1} ${taken}`;
}
console.log(answer);
