// Starts as many threads as possible and counts them.
// expect A B: blocked|memory
#include "attack.h"
#include <pthread.h>
static void *rest(void *unused) {
    (void)unused;
    for (;;) pause();
    return NULL;
}
int main(void) {
    int count = 1;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (pthread_t thread; count < 200 && pthread_create(&thread, &small, rest, NULL) == 0;) count++;
    if (count > 17) escaped("more threads than allowed");
}
