// Wrong answer: tries the numbers one by one, which takes more than ten guesses.
const replies = require('readline').createInterface({ input: process.stdin });
let [low, high] = [1, 1000];
let guess;
function say() {
    guess = low;
    console.log(guess);
}
replies.on('line', (reply) => {
    if (reply === 'less') high = guess - 1;
    else if (reply === 'more') low = guess + 1;
    else process.exit(); // the interactor waits for the end of the program
    say();
});
say();
