// The reference solution: halves the range with each guess.
const replies = require('readline').createInterface({ input: process.stdin });
let [low, high] = [1, 1000];
let guess;
function say() {
    guess = Math.floor((low + high) / 2);
    console.log(guess);
}
replies.on('line', (reply) => {
    if (reply === 'less') high = guess - 1;
    else if (reply === 'more') low = guess + 1;
    else process.exit(); // the interactor waits for the end of the program
    say();
});
say();
