// Not an attack: uses a file and memory, and prints a sum. The soak test mixes it with the attacks.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    long sum = 0;
    FILE *file = fopen("scratch", "w");
    char *memory = malloc(1 << 20);
    for (int i = 0; i < 1 << 20; i += 4096) memory[i] = 1;
    for (int i = 1; i <= 1000; i++) sum += i;
    fprintf(file, "%ld", sum);
    fclose(file);
    printf("%ld\n", sum + memory[0] - 1);
    return 0;
}
