#pragma once
// Common helpers of the attacks. An attack exits with 0 if it was blocked; otherwise it prints what succeeded and exits
// with 1. Arguments: 1 a folder with the file `secret`, 2 a listening TCP port, 3 the name of a listening abstract socket,
// 4 the process id of a victim.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__((unused)) static void escaped(const char *what) {
    printf("ESCAPED: %s\n", what);
    fflush(stdout);
    _exit(1);
}

__attribute__((unused)) static void must_fail(const char *what, long result) {
    if (result >= 0) escaped(what);
}

__attribute__((unused)) static void burn(void) {
    for (volatile unsigned long i = 0;; i++) {}
}

__attribute__((unused)) static char *path_in(const char *dir, const char *name) {
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

// Takes memory page by page until somebody stops us.
__attribute__((unused)) static void eat(char *memory, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
}
