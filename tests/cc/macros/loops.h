#ifndef LOOPS_H
#define LOOPS_H
#define DIRECTIVE(x) _Pragma(#x)
#define LOOP DIRECTIVE(omp parallel for)
#define SUM(s) DIRECTIVE(omp parallel for reduction(+ : s))
float law(float x, int kind);
#endif
