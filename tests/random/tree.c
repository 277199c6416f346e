// The program as a tree of lines and blocks: building, printing, and who mentions whom.
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

struct gen_chunk {
    struct gen_chunk *next;
};

void *gen_alloc(struct gen_program *p, size_t size) {
    struct gen_chunk *c = calloc(1, sizeof *c + size);
    if (!c) {
        fputs("out of memory\n", stderr);
        exit(2);
    }
    c->next = p->memory;
    p->memory = c;
    return c + 1;
}

void gen_destroy(struct gen_program *p) {
    for (struct gen_chunk *c = p->memory; c;) {
        struct gen_chunk *next = c->next;
        free(c);
        c = next;
    }
    free(p);
}

char *gen_format(struct gen_program *p, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char probe[1];
    int n = vsnprintf(probe, sizeof probe, format, args);
    char *s = gen_alloc(p, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, again);
    va_end(args);
    va_end(again);
    return s;
}

struct gen_node *gen_line(struct gen_program *p, struct gen_node *parent, char *text) {
    struct gen_node *n = gen_alloc(p, sizeof *n);
    n->head = text;
    if (parent->last)
        parent->last->next = n;
    else
        parent->child = n;
    parent->last = n;
    return n;
}

struct gen_node *gen_block(struct gen_program *p, struct gen_node *parent, char *head, char *tail) {
    struct gen_node *n = gen_line(p, parent, head);
    n->tail = tail;
    return n;
}

// A head may hold several lines; pragmas stand at the margin.
static void put_lines(FILE *out, const char *text, int depth) {
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, "\n");
        if (len)
            fprintf(out, "%*s%.*s\n", *at == '#' ? 0 : depth * 4, "", (int)len, at);
        else
            fputc('\n', out);
        at += len + (at[len] == '\n');
    }
}

static void put_nodes(FILE *out, const struct gen_node *first, int depth, bool unwrapped) {
    for (const struct gen_node *n = first; n; n = n->next) {
        if (n->dropped || (unwrapped && n->outdent)) continue;
        if (!n->tail) {
            put_lines(out, n->simple ? n->alt : n->head, n->outdent ? depth - 1 : depth);
            continue;
        }
        if (!n->unwrapped) put_lines(out, n->simple ? n->alt : n->head, depth);
        put_nodes(out, n->child, *n->head && !n->unwrapped ? depth + 1 : depth, n->unwrapped);
        if (!n->unwrapped) put_lines(out, n->tail, depth);
    }
}

char *gen_text(const struct gen_program *p) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    put_nodes(out, p->root->child, 0, false);
    fclose(out);
    return text;
}

static bool has_word(const char *text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n) {
        bool before = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool after = isalnum((unsigned char)at[n]) || at[n] == '_';
        if (!before && !after) return true;
    }
    return false;
}

static bool mentioned(const struct gen_node *first, const struct gen_node *except, const char *word) {
    for (const struct gen_node *n = first; n; n = n->next) {
        if (n->dropped || n == except) continue;
        if (!n->unwrapped && has_word(n->simple ? n->alt : n->head, word)) return true;
        if (n->tail && (has_word(n->tail, word) || mentioned(n->child, except, word))) return true;
    }
    return false;
}

bool gen_mentioned(const struct gen_program *p, const struct gen_node *except, const char *word) {
    return mentioned(p->root->child, except, word);
}

uint64_t gen_mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}
