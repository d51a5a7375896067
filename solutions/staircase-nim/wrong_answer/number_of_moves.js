// Mistake: judges by the parity of all the moves there would be if stones went one at a time.
const [n, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let parity = 0;
for (let i = 0; i < n; i++) parity ^= ((i + 1) * a[i]) & 1;
console.log(parity ? 'Yes' : 'No');
