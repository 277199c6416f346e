#include "cc/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

struct block {
    struct block *next;
    max_align_t data[];
};
static struct block *blocks; // all that was allocated

void *cc_alloc(size_t size_bytes) {
    struct block *b = calloc(1, sizeof *b + size_bytes);
    if (!b) {
        fputs("whorl cc: out of memory\n", stderr);
        exit(1);
    }
    b->next = blocks;
    blocks = b;
    return b->data;
}

void cc_list_put(struct cc_list *list, const char *text) {
    if (list->count + 1 >= list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 32;
        const char **items = cc_alloc(cap * sizeof *items);
        if (list->count) memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->cap = cap;
    }
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
}

void cc_list_put_all(struct cc_list *list, const struct cc_list *others) {
    for (size_t i = 0; i < others->count; i++)
        cc_list_put(list, others->items[i]);
}

void cc_list_split(struct cc_list *list, const char *words) {
    static const char space[] = " \t\r\n";
    for (words += strspn(words, space); *words; words += strspn(words, space)) {
        size_t size = strcspn(words, space);
        cc_list_put(list, cc_text("%.*s", (int)size, words));
        words += size;
    }
}

char *cc_text(const char *format, ...) {
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = cc_alloc((size_t)size + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    return text;
}

int cc_spawn(const struct cc_list *command, const char *output, const char *errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output) posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (errors) posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t pid;
    int failed = posix_spawnp(&pid, command->items[0], &actions, NULL, (char **)(void *)command->items, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        fprintf(stderr, "whorl cc: cannot run `%s`: %s\n", command->items[0], strerror(failed));
        return 127;
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
