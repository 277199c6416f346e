#define P _Pragma("omp parallel for reduction(+:s)")
P for (;;) ;
#pragma omp simd safelen(ONE) \
 collapse(2)
#pragma STDC FP_CONTRACT OFF
_Pragma("GCC ivdep") x
