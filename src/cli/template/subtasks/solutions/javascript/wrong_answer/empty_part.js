// Wrong answer: allows an empty part, whose sum is 0.
const [n, ...a] = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
let best = 0;
let endingHere = 0;
for (const x of a) {
    endingHere = x + Math.max(endingHere, 0);
    best = Math.max(best, endingHere);
}
console.log(best);
