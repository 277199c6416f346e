// What the files of OpenMP's directives call of each other.
#ifndef WHORL_FRONT_OPENMP_H
#define WHORL_FRONT_OPENMP_H

#include "front/parse/parse.h"

void front_parse_clauses(struct front_parser *p, struct front_omp *omp); // up to the end of the line
void front_parse_atomic_clauses(struct front_parser *p, struct front_omp *omp);
// [first : count] as often as they stand here, behind the name of `s` (NULL: it is not declared).
void front_parse_sections(struct front_parser *p, const struct front_symbol *s);
// Whether the operator can reduce the elements of an array.
bool front_check_reduced_array(struct front_parser *p, const struct front_symbol *s, enum front_op op, base_loc loc);
// openmp_reduction.c: true: a `declare reduction` stood here. By name; type NULL: of any.
bool front_parse_declared_reduction(struct front_parser *p);
const struct front_declared_reduction *front_find_reduction(const struct front_parser *p, const char *name,
                                                            const struct front_type *type);
void front_omp_skip(struct front_parser *p); // to the end of the line

// openmp_sections.c: the block of `sections`, as a loop over the numbers of its sections, which omp->loops describes.
struct front_node *front_parse_section_blocks(struct front_parser *p, struct front_omp *omp);

// openmp_threadprivate.c: true: the directive stood here. What clauses may say of such variables.
bool front_parse_threadprivate(struct front_parser *p);
void front_check_threadprivate(struct front_parser *p, const struct front_symbol *s, uint32_t sharing, base_loc loc);

// openmp_words.c: up to the clauses. omp->constructs is 0 after an error.
void front_parse_words(struct front_parser *p, struct front_omp *omp);
bool front_skip_data_directive(struct front_parser *p); // true: one stood here
void front_unknown_directive(struct front_parser *p);

#endif
