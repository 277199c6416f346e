#include "cc/command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"

// Options whose value may be the next word.
static const struct {
    const char *name;
    uint8_t role;
} with_value[] = {
    {"-I", CC_ROLE_PREPROCESS},
    {"-D", CC_ROLE_PREPROCESS},
    {"-U", CC_ROLE_PREPROCESS},
    {"-include", CC_ROLE_PREPROCESS},
    {"-imacros", CC_ROLE_PREPROCESS},
    {"-isystem", CC_ROLE_PREPROCESS},
    {"-iquote", CC_ROLE_PREPROCESS},
    {"-idirafter", CC_ROLE_PREPROCESS},
    {"-iprefix", CC_ROLE_PREPROCESS},
    {"-iwithprefix", CC_ROLE_PREPROCESS},
    {"-isysroot", CC_ROLE_PREPROCESS},
    {"-Xpreprocessor", CC_ROLE_PREPROCESS},
    {"-MF", CC_ROLE_DEPEND},
    {"-MT", CC_ROLE_DEPEND},
    {"-MQ", CC_ROLE_DEPEND},
    {"-l", CC_ROLE_LINK},
    {"-L", CC_ROLE_LINK},
    {"-T", CC_ROLE_LINK},
    {"-u", CC_ROLE_LINK},
    {"-z", CC_ROLE_LINK},
    {"-Xlinker", CC_ROLE_LINK},
    {"-o", CC_ROLE_OUTPUT},
    {"-x", CC_ROLE_OTHER},
    {"-Xassembler", CC_ROLE_OTHER},
    {"-Xclang", CC_ROLE_OTHER},
    {"-mllvm", CC_ROLE_OTHER},
    {"-arch", CC_ROLE_OTHER},
    {"-target", CC_ROLE_OTHER},
    {"--param", CC_ROLE_OTHER},
    {"-B", CC_ROLE_OTHER},
    {"-aux-info", CC_ROLE_OTHER},
    {"-dumpbase", CC_ROLE_OTHER},
    {"-dumpdir", CC_ROLE_OTHER},
    {"--sysroot", CC_ROLE_OTHER},
    {"-wrapper", CC_ROLE_OTHER},
};

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static void put_word(struct cc_command *c, const char *text, enum cc_role role) {
    if (c->count == c->cap) {
        size_t cap = c->cap ? c->cap * 2 : 64;
        struct cc_word *words = cc_alloc(cap * sizeof *words);
        if (c->count) memcpy(words, c->words, c->count * sizeof *words);
        c->words = words;
        c->cap = cap;
    }
    c->words[c->count++] = (struct cc_word){text, (unsigned char)role};
}

// What the value of an option means to us.
static void note_value(struct cc_command *c, const char *option, const char *value) {
    if (strcmp(option, "-o") == 0) c->output = value;
    if (strcmp(option, "-MF") == 0) c->depend_file = value;
    if (strcmp(option, "-MT") == 0 || strcmp(option, "-MQ") == 0) c->depend_target = value;
    if (strcmp(option, "-x") == 0) c->plain = true; // languages are named by hand: not for us
}

static enum cc_role role_of(struct cc_command *c, const char *word) {
    size_t size = strlen(word);
    if (word[0] != '-' || size == 1) {
        if (size == 1) c->plain = true; // standard input
        bool is_source = size > 2 && strcmp(word + size - 2, ".c") == 0;
        c->sources += is_source;
        return is_source ? CC_ROLE_SOURCE : CC_ROLE_INPUT;
    }
    if (strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0) {
        c->compile_only = c->compile_only || word[1] == 'c';
        c->assemble_only = c->assemble_only || word[1] == 'S';
        return CC_ROLE_STAGE;
    }
    if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) c->depend_option = word;
    if (strcmp(word, "-E") == 0 || strcmp(word, "-M") == 0 || strcmp(word, "-MM") == 0 ||
        strcmp(word, "-fsyntax-only") == 0 || strcmp(word, "-###") == 0)
        c->plain = true;
    if (strcmp(word, "-funsigned-char") == 0 || strcmp(word, "-fno-signed-char") == 0 ||
        strcmp(word, "-fshort-enums") == 0 || strcmp(word, "-m32") == 0 || strcmp(word, "-mx32") == 0 ||
        starts(word, "-fpack-struct") || strcmp(word, "-fsingle-precision-constant") == 0)
        c->plain = true; // another C than the regions' programs are compiled as
    c->is_static |= strcmp(word, "-static") == 0;
    c->without_runtime |= c->is_static || strcmp(word, "-r") == 0;
    if (starts(word, "-M")) return CC_ROLE_DEPEND;
    if (starts(word, "-Wp,") || strcmp(word, "-nostdinc") == 0 || strcmp(word, "-undef") == 0)
        return CC_ROLE_PREPROCESS;
    if (starts(word, "-Wl,") || strcmp(word, "-shared") == 0 || starts(word, "-static") || strcmp(word, "-pie") == 0 ||
        strcmp(word, "-no-pie") == 0 || strcmp(word, "-rdynamic") == 0 || strcmp(word, "-s") == 0 ||
        strcmp(word, "-r") == 0 || starts(word, "-nostd") || starts(word, "-nodefault") || starts(word, "-fuse-ld"))
        return CC_ROLE_LINK;
    return CC_ROLE_OTHER;
}

static bool read_words(struct cc_command *c, char **words, size_t count, int depth);

// Arguments in a file, separated by white space; quotes and backslashes as compilers have them.
static bool read_file(struct cc_command *c, const char *path, int depth) {
    char *data;
    size_t size, count = 0;
    struct whorl_error err;
    if (depth > 8 || base_read_file(path, 1u << 24, &data, &size, &err) != WHORL_OK) return false;
    char **words = cc_alloc((size + 1) * sizeof *words), *out = cc_text("%s", data);
    base_heap_free(data);
    for (char *p = out; *p;) {
        p += strspn(p, " \t\r\n\v\f");
        if (!*p) break;
        words[count++] = out;
        char quote = 0;
        for (; *p && (quote || !strchr(" \t\r\n\v\f", *p)); p++) {
            if (*p == '\\' && p[1])
                *out++ = *++p;
            else if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            else
                *out++ = *p;
        }
        if (*p) p++;
        *out++ = 0;
    }
    return read_words(c, words, count, depth + 1);
}

static bool read_words(struct cc_command *c, char **words, size_t count, int depth) {
    for (size_t i = 0; i < count; i++) {
        const char *word = words[i];
        if (word[0] == '@' && read_file(c, word + 1, depth)) continue;
        if (strcmp(word, "--report") == 0) {
            c->report = true;
            continue;
        }
        if (starts(word, "-fdouble=")) {
            c->double_as_float = strcmp(word + 9, "float") == 0; // the last one counts
            c->double_as_pair = strcmp(word + 9, "pair") == 0;
            if (!c->double_as_float && !c->double_as_pair) {
                fprintf(stderr, "whorl cc: error: `%s`: of doubles there are -fdouble=float and -fdouble=pair\n", word);
                return false;
            }
            continue;
        }
        size_t v = 0, known = sizeof with_value / sizeof *with_value;
        while (v < known && !starts(word, with_value[v].name))
            v++;
        // -include is no -I, and -static no -s: of several the longest
        for (size_t k = v; k < known; k++)
            if (starts(word, with_value[k].name) && strlen(with_value[k].name) > strlen(with_value[v].name)) v = k;
        bool exact = v < known && strcmp(word, with_value[v].name) == 0;
        bool joined = v < known && !exact && strlen(with_value[v].name) == 2 && word[1] != '-' &&
                      strchr("IDUlLTo", word[1]) != NULL;
        if (joined || exact) {
            put_word(c, word, with_value[v].role);
            if (exact && i + 1 < count) put_word(c, words[++i], with_value[v].role);
            note_value(c, with_value[v].name, joined ? word + 2 : i < count ? words[i] : "");
            continue;
        }
        put_word(c, word, role_of(c, word));
    }
    return true;
}

// $WHORL_CC, else $CC, unless that is `whorl cc` itself, else cc.
static void find_compiler(struct cc_command *c) {
    const char *own = getenv("WHORL_CC"), *cc = getenv("CC");
    if (own && *own) {
        cc_list_split(&c->compiler, own);
    } else if (cc && *cc) {
        cc_list_split(&c->compiler, cc);
        for (size_t i = 0; i < c->compiler.count; i++) {
            const char *slash = strrchr(c->compiler.items[i], '/');
            if (strcmp(slash ? slash + 1 : c->compiler.items[i], "whorl") == 0) c->compiler.count = 0;
        }
    }
    if (!c->compiler.count) cc_list_put(&c->compiler, "cc");
}

bool cc_command_read(struct cc_command *c, int argc, char **argv) {
    *c = (struct cc_command){0};
    find_compiler(c);
    if (!read_words(c, argv, (size_t)argc, 0)) return false;
    bool openmp = false;
    for (size_t i = 0; i < c->count; i++) {
        const char *word = c->words[i].text;
        if (strcmp(word, "-fopenmp") == 0 || starts(word, "-fopenmp=") || strcmp(word, "-qopenmp") == 0) openmp = true;
        if (strcmp(word, "-fno-openmp") == 0) openmp = false;
    }
    if (!openmp) c->plain = true;
    return true;
}

struct cc_list cc_command_words(const struct cc_command *c, unsigned roles) {
    struct cc_list list = {0};
    cc_list_put_all(&list, &c->compiler);
    for (size_t i = 0; i < c->count; i++)
        if (roles >> c->words[i].role & 1) cc_list_put(&list, c->words[i].text);
    return list;
}
