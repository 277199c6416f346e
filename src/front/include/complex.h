// Complex numbers are structs of two numbers; what is done with them are calls of functions (parse/complex.c).
#pragma once

#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))

struct __whorl_complex_float {
    float re, im;
};
struct __whorl_complex_double {
    double re, im;
};

#define __wc_number float
#define __wc struct __whorl_complex_float
#define __wc_other struct __whorl_complex_double
#define __WC_OWN(name) __wcf_##name
#define __WC_LIBRARY(name) name##f
#define __WC_MATH(name) __builtin_##name##f
#include <whorl/complex_functions.h>
#undef __wc_number
#undef __wc
#undef __wc_other
#undef __WC_OWN
#undef __WC_LIBRARY
#undef __WC_MATH

#define __wc_number __typeof__(((struct __whorl_complex_double *)0)->re) // -fdouble=float makes it a float
#define __wc struct __whorl_complex_double
#define __wc_other struct __whorl_complex_float
#define __WC_OWN(name) __wcd_##name
#define __WC_LIBRARY(name) name
#define __WC_MATH(name) __builtin_##name
#include <whorl/complex_functions.h>
#undef __wc_number
#undef __wc
#undef __wc_other
#undef __WC_OWN
#undef __WC_LIBRARY
#undef __WC_MATH

#pragma omp declare reduction(+ : struct __whorl_complex_float : omp_out = __wcf_add(omp_out, omp_in)) \
    initializer(omp_priv = __wcf_make(0.0f, 0.0f))
#pragma omp declare reduction(- : struct __whorl_complex_float : omp_out = __wcf_add(omp_out, omp_in)) \
    initializer(omp_priv = __wcf_make(0.0f, 0.0f))
#pragma omp declare reduction(* : struct __whorl_complex_float : omp_out = __wcf_mul(omp_out, omp_in)) \
    initializer(omp_priv = __wcf_make(1.0f, 0.0f))
#pragma omp declare reduction(+ : struct __whorl_complex_double : omp_out = __wcd_add(omp_out, omp_in)) \
    initializer(omp_priv = __wcd_make(0.0, 0.0))
#pragma omp declare reduction(- : struct __whorl_complex_double : omp_out = __wcd_add(omp_out, omp_in)) \
    initializer(omp_priv = __wcd_make(0.0, 0.0))
#pragma omp declare reduction(* : struct __whorl_complex_double : omp_out = __wcd_mul(omp_out, omp_in)) \
    initializer(omp_priv = __wcd_make(1.0, 0.0))
