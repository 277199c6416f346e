// What the two files of -fdouble=pair share.
#ifndef WHORL_FRONT_PAIR_H
#define WHORL_FRONT_PAIR_H

#include "front/parse/parse.h"

struct front_pairs {
    struct front_parser *p;
    struct front_type *pair; // struct of two floats, unqualified
    bool int64_as_int32;
    bool *seen_records; // by id: their fields were changed
};

// The type with pairs in place of its doubles; pointers, arrays and structs are changed in place.
struct front_type *front_pair_type(struct front_pairs *d, struct front_type *type);

// pair_constant.c. Before anything is changed: constant expressions become constants, and constant initialisers of
// doubles two of floats. `user` is the struct front_pairs.
void front_pair_fold(void *user, struct front_node **place);
// demanded: of static data, where each must be a constant.
void front_pair_inits(struct front_pairs *d, struct front_inits *inits, bool demanded);
// A constant of type double becomes one of two floats, in place.
void front_pair_constant(struct front_pairs *d, struct front_node *n);

#endif
