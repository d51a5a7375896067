// Mistake: large odd numbers are rounded to even ones.
const k = require("fs").readFileSync(0, "utf8").split(/\s+/).slice(1).filter(Boolean).map(Number);
console.log(k.filter((v) => v % 2 === 0).length > 1 ? "No" : "Yes");
