// Mistake: the nim-sum of a game is added to that of the game before.
const data = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let at = 1, x = 0;
const out = [];
for (let t = 0; t < data[0]; t++) {
  const n = data[at++];
  let big = false;
  for (let i = 0; i < n; i++) {
    x ^= data[at];
    big = big || data[at] > 1;
    at++;
  }
  out.push((x !== 0) === big ? 'John' : 'Brother');
}
console.log(out.join('\n'));
