// A C compiler's command line, as far as `whorl cc` has to know it. Internal to this room.
#ifndef WHORL_CC_COMMAND_H
#define WHORL_CC_COMMAND_H

#include "cc/spawn.h"

enum cc_role {
    CC_ROLE_SOURCE,     // a .c file
    CC_ROLE_INPUT,      // an object, a library, a file of another language
    CC_ROLE_PREPROCESS, // -I, -D and what else only the preprocessor reads
    CC_ROLE_DEPEND,     // -MD and its like
    CC_ROLE_LINK,       // -l, -L, -Wl
    CC_ROLE_OUTPUT,     // -o
    CC_ROLE_STAGE,      // -c, -S
    CC_ROLE_OTHER
};
struct cc_word {
    const char *text;
    unsigned char role; // enum cc_role; the value of an option has that of its option
};
struct cc_command {
    struct cc_list compiler; // "ccache gcc" is two words
    struct cc_word *words;   // without our own options
    size_t count, cap;
    size_t sources;
    const char *output;               // of -o, or NULL
    const char *depend_file;          // of -MF, or NULL
    const char *depend_target;        // of -MT or -MQ, or NULL
    const char *depend_option;        // "-MD" or "-MMD", or NULL
    bool compile_only, assemble_only; // -c, -S
    bool plain;                       // nothing to move: no -fopenmp, or a stage that makes no code
    bool is_static;                   // -static: such programs cannot load the libraries of a driver
    bool without_runtime;             // -static, -r
    bool report, double_as_float, double_as_pair;
};

// Reads the arguments behind `whorl cc`. A file of arguments (@FILE) is read in its place. False after a message.
bool cc_command_read(struct cc_command *out, int argc, char **argv);
// The words of the roles in the set (bits 1 << role), in order, behind the compiler's name.
struct cc_list cc_command_words(const struct cc_command *c, unsigned roles);

#endif
