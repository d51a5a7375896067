// The reference solution: halves the range with each guess.

#include <stdio.h>
#include <string.h>

int main(void) {
    int low = 1, high = 1000;
    while (low <= high) {
        int guess = (low + high) / 2;
        printf("%d\n", guess);
        fflush(stdout); // without this, the line may stay in the buffer
        char reply[16];
        if (scanf("%15s", reply) != 1) return 0;
        if (strcmp(reply, "less") == 0) high = guess - 1;
        else if (strcmp(reply, "more") == 0) low = guess + 1;
        else return 0;
    }
}
