// Mistake: sorts the values of the successors and stops at the first that is not its own index.
// One value met twice, from one edge given twice or from two vertices, ends the count too early.
const data = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
const [n, m, k] = data;
const to = Array.from({ length: n + 1 }, () => []);
for (let i = 0; i < m; i++) to[data[3 + 2 * i]].push(data[4 + 2 * i]);
const memo = new Array(n + 1).fill(-1);
function sg(u) {
  if (memo[u] < 0) {
    const values = to[u].map(sg).sort((a, b) => a - b);
    let g = 0;
    while (g < values.length && values[g] === g) g++;
    memo[u] = g;
  }
  return memo[u];
}
let x = 0;
for (const v of data.slice(3 + 2 * m)) x ^= sg(v);
console.log(x ? 'win' : 'lose');
