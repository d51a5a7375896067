// Mistake: numbers beyond 2^53 are rounded.
const [t, k, p, x] = require("fs").readFileSync(0, "utf8").split(" ").map(Number);
const rest = (t - x) % ((p - 1) * k + 1);
console.log(String(rest === 0 ? p : Math.floor((rest - 1) / k) + 1));
