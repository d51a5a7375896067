// The reference solution: writes the number in base 26 with the letters as digits.
const [task, text] = require('fs').readFileSync(0, 'utf8').split(/\s+/);
if (task === 'encode') {
    let x = Number(text);
    let word = '';
    for (let i = 0; i < 5; i++) {
        word += String.fromCharCode(97 + (x % 26));
        x = Math.floor(x / 26);
    }
    console.log(word);
} else {
    let x = 0;
    for (let i = text.length - 1; i >= 0; i--) x = 26 * x + text.charCodeAt(i) - 97;
    console.log(x);
}
