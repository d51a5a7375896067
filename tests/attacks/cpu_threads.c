// Loops without end in threads while the main thread sleeps.
// expect A B C D: cpu
#include "attack.h"
#include <pthread.h>
static void *work(void *unused) {
    (void)unused;
    burn();
    return NULL;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
    pthread_join(threads[0], NULL);
}
