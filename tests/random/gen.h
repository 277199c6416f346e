// Random programs for differential tests: a seed becomes one well-defined C program in whorl's language, as a tree that
// the shrinker can cut pieces from.
//
// The one hard idea: every float is a multiple of 2^-frac below mag, and the generator tracks both through each
// expression so that no result ever needs more than 24 bits. Then + - * are exact, and neither contraction nor
// reassociation can change a bit: any two correct compilers agree exactly. What is stored anywhere keeps one format
// (floats: multiples of 1/16 up to 64; ints: -1024..1023; unsigned: all of it, wrapping), so cutting a statement out
// leaves the rest well-defined. Indices are in range because each integer expression's bounds are tracked for the
// concrete sizes of this program. Loops are free of races because a parallel loop only writes through indices that
// differ in every iteration.
#ifndef RANDOM_GEN_H
#define RANDOM_GEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- the program as a tree (tree.c) ---------------------------------------------------------------------------------
struct gen_node {
    char *head;       // a line, or what opens a block
    char *tail;       // what closes it; NULL: a line
    char *alt;        // simpler `head` that keeps the program well-defined, or NULL
    const char *word; // a declaration: it may go only when nothing else mentions this name
    bool fixed;       // goes only with what holds it
    bool unwrap;      // the block's children may stand without it
    bool outdent;     // "} else {" and case labels
    bool dropped, unwrapped, simple;
    struct gen_node *child, *last, *next;
};

enum gen_elem { GEN_F32, GEN_I32, GEN_U32, GEN_F16, GEN_I16, GEN_U16, GEN_I8, GEN_U8, GEN_BOOL, GEN_I64, GEN_U64 };
enum { GEN_MAX_PARAMS = 24 };
struct gen_param {
    char name[16];
    bool is_array, is_output, uniform;
    enum gen_elem elem;
    double value;   // scalars
    uint32_t count; // elements, a struct's fields counted one by one
    uint32_t ndims, dims[3];
    bool unsized; // declared as a pointer: the compiler needs the shape
};

struct gen_chunk;
struct gen_program {
    uint64_t seed;
    char entry[32];
    struct gen_param params[GEN_MAX_PARAMS];
    uint32_t param_count;
    struct gen_node *root;
    struct gen_chunk *memory;
    const char *shape; // "individual", "steps", "mixed", "grid": what the generator aimed at
};

extern const char gen_label[]; // the generator's name, before the seeds in reports and file names: "random", "wild"
struct gen_program *gen_create(uint64_t seed);
void gen_destroy(struct gen_program *p);
// The program's text (free it): what stands in the tree now.
char *gen_text(const struct gen_program *p);
// `void call_SEED(void **arrays, const double *scalars)`, to be compiled after the text (free it).
char *gen_wrapper(const struct gen_program *p);
// Fills an array parameter with the seed's input.
void gen_input(const struct gen_program *p, uint32_t param, void *out);
size_t gen_elem_size(enum gen_elem elem);

// ---- for the generator's own files ----------------------------------------------------------------------------------
void *gen_alloc(struct gen_program *p, size_t size);
char *gen_format(struct gen_program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct gen_node *gen_line(struct gen_program *p, struct gen_node *parent, char *text);
struct gen_node *gen_block(struct gen_program *p, struct gen_node *parent, char *head, char *tail);
// True if a live node other than `except` mentions the identifier.
bool gen_mentioned(const struct gen_program *p, const struct gen_node *except, const char *word);
uint64_t gen_mix(uint64_t x);

#endif
