/* Disables the buffer of standard output before `main` runs. */
#include <stdio.h>

__attribute__((constructor)) static void nimatron_unbuffered(void) { setvbuf(stdout, 0, _IONBF, 0); }
