function fold(n) {
    return n === 0 ? 0 : (Math.floor(fold(n - 1) / 2) + n) % 1000003;
}

console.log(fold(Number(require("fs").readFileSync(0, "utf8"))));
