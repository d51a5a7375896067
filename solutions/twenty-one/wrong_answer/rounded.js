// Mistake: numbers beyond 2^53 are rounded.
const [l, k, x] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
console.log(String((l - 1 - x) % (k + 1)));
