// What the files of OpenMP's directives call of each other.
#ifndef WHORL_FRONT_OPENMP_H
#define WHORL_FRONT_OPENMP_H

#include "front/parse/parse.h"

void front_parse_clauses(struct front_parser *p, struct front_omp *omp); // up to the end of the line
void front_parse_atomic_clauses(struct front_parser *p, struct front_omp *omp);
void front_omp_skip(struct front_parser *p);                         // to the end of the line
const char *front_omp_name(struct base_cx *cx, uint32_t constructs); // "parallel for"

#endif
