// Programs that are run, and lists of their arguments. Internal to this room.
#ifndef WHORL_CC_SPAWN_H
#define WHORL_CC_SPAWN_H

#include <stdbool.h>
#include <stddef.h>

struct cc_list { // of texts, ended by NULL
    const char **items;
    size_t count, cap;
};
// Memory as long as the process lives, zeroed; ends the process where there is none.
void *cc_alloc(size_t size_bytes);
void cc_list_put(struct cc_list *list, const char *text); // not copied
void cc_list_put_all(struct cc_list *list, const struct cc_list *others);
void cc_list_split(struct cc_list *list, const char *words);                  // at white space; copies
char *cc_text(const char *format, ...) __attribute__((format(printf, 1, 2))); // by cc_alloc

// Runs the program and waits. `output`, `errors`: files for its standard output and error, NULL: ours. Its exit
// status, 128 + N after a signal, 127 where it cannot be started.
int cc_spawn(const struct cc_list *command, const char *output, const char *errors);

#endif
