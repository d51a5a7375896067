// Mistake: reads the sizes as floating-point numbers, which keep 53 binary digits and round the rest.
const [n, ...heaps] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map((w) => BigInt(Number(w)));
let ones = 0n, twos = 0n;
for (const a of heaps) {
  ones = (ones ^ a) & ~twos;
  twos = (twos ^ a) & ~ones;
}
let winner = 'B';
if (ones === 0n && twos === 0n) winner = 'C';
else if (twos < ones && heaps.some((a) => (a & (ones | twos)) === ones)) winner = 'A';
console.log(winner);
