/* Runs before `main`: what the program prints leaves it at once. */
#include <stdio.h>

__attribute__((constructor)) static void nimatron_unbuffered(void) { setvbuf(stdout, 0, _IONBF, 0); }
