// What assert does when its condition does not hold is the executor's: the run ends with an error that names the
// iteration, on the GPU as on the CPU. As in C, each inclusion asks for NDEBUG anew.
#undef static_assert
#define static_assert _Static_assert

void __whorl_assert(int holds, const char *text);

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) __whorl_assert((condition) ? 1 : 0, #condition)
#endif
