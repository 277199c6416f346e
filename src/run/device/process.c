// See process.h. posix_spawn, since a fork would copy the address space of a process that may hold gigabytes.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/device/process.h"

extern char **environ;

static void drain(int fd, char *output, size_t size) {
    size_t used = 0;
    for (;;) {
        char rest[4096];
        size_t room = size > 1 && used < size - 1 ? size - 1 - used : 0;
        ssize_t got = read(fd, room ? output + used : rest, room ? room : sizeof rest);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += room ? (size_t)got : 0;
    }
    if (size) output[used] = 0;
}

bool run_process(char *const argv[], char *output, size_t size) {
    int ends[2], status = -1;
    pid_t child;
    if (size) output[0] = 0;
    if (pipe(ends) != 0) return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code == 0) {
        code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
        if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
        if (code == 0) code = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (code == 0) {
        drain(ends[0], output, size);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    return code == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
