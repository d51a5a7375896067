// Mistake: numbers beyond 2^53 are rounded.
const a = require("fs").readFileSync(0, "utf8").split(/\s+/).slice(1).filter(Boolean).map(Number).filter((v) => v > 0);
let x = 0n;
for (const v of a) x ^= BigInt(v) - 1n;
console.log(x === 0n && a.length % 2 === 0 ? "No" : "Yes");
