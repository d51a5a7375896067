const words = require("fs").readFileSync(0, "utf8").split(/\s+/);
const n = Number(words[0]);
let sum = 0n;
for (let i = 1; i <= n; i++) sum += BigInt(words[i]);
console.log(sum.toString());
