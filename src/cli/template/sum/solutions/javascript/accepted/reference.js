// The reference solution.
const [n, ...a] = require('fs').readFileSync(0, 'utf8').split(/\s+/).map(Number);
console.log(a.slice(0, n).reduce((total, x) => total + x, 0));
