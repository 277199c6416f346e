// The atomic operations of GNU C that take any type, as statements of OpenMP. How they order other accesses is not
// kept: iterations of a loop see what others wrote when the loop is done. Those that make locks are not here.
#define __WA_TAKES(p, v, directive, what)      \
    __extension__({                            \
        __typeof__(&*(p)) __wa_p = (p);        \
        __typeof__(*(p)) __wa_v = (v), __wa_x; \
        _Pragma(directive) what __wa_x;        \
    })
#define __WA_TAKES_BEFORE(p, op, v)          \
    __WA_TAKES(p, v, "omp atomic capture", { \
        __wa_x = *__wa_p;                    \
        *__wa_p op __wa_v;                   \
    })
#define __WA_TAKES_AFTER(p, op, v)           \
    __WA_TAKES(p, v, "omp atomic capture", { \
        *__wa_p op __wa_v;                   \
        __wa_x = *__wa_p;                    \
    })
#define __sync_fetch_and_add(p, v) __WA_TAKES_BEFORE(p, +=, v)
#define __sync_fetch_and_sub(p, v) __WA_TAKES_BEFORE(p, -=, v)
#define __sync_fetch_and_or(p, v) __WA_TAKES_BEFORE(p, |=, v)
#define __sync_fetch_and_and(p, v) __WA_TAKES_BEFORE(p, &=, v)
#define __sync_fetch_and_xor(p, v) __WA_TAKES_BEFORE(p, ^=, v)
#define __sync_add_and_fetch(p, v) __WA_TAKES_AFTER(p, +=, v)
#define __sync_sub_and_fetch(p, v) __WA_TAKES_AFTER(p, -=, v)
#define __sync_or_and_fetch(p, v) __WA_TAKES_AFTER(p, |=, v)
#define __sync_and_and_fetch(p, v) __WA_TAKES_AFTER(p, &=, v)
#define __sync_xor_and_fetch(p, v) __WA_TAKES_AFTER(p, ^=, v)
#define __atomic_fetch_add(p, v, order) __WA_TAKES_BEFORE(p, +=, v)
#define __atomic_fetch_sub(p, v, order) __WA_TAKES_BEFORE(p, -=, v)
#define __atomic_fetch_or(p, v, order) __WA_TAKES_BEFORE(p, |=, v)
#define __atomic_fetch_and(p, v, order) __WA_TAKES_BEFORE(p, &=, v)
#define __atomic_fetch_xor(p, v, order) __WA_TAKES_BEFORE(p, ^=, v)
#define __atomic_add_fetch(p, v, order) __WA_TAKES_AFTER(p, +=, v)
#define __atomic_sub_fetch(p, v, order) __WA_TAKES_AFTER(p, -=, v)
#define __atomic_or_fetch(p, v, order) __WA_TAKES_AFTER(p, |=, v)
#define __atomic_and_fetch(p, v, order) __WA_TAKES_AFTER(p, &=, v)
#define __atomic_xor_fetch(p, v, order) __WA_TAKES_AFTER(p, ^=, v)
#define __atomic_exchange_n(p, v, order)     \
    __WA_TAKES(p, v, "omp atomic capture", { \
        __wa_x = *__wa_p;                    \
        *__wa_p = __wa_v;                    \
    })
#define __sync_val_compare_and_swap(p, d, v)             \
    __extension__({                                      \
        __typeof__(*(p)) __wa_d = (d);                   \
        __WA_TAKES(p, v, "omp atomic compare capture", { \
            __wa_x = *__wa_p;                            \
            if (*__wa_p == __wa_d) {                     \
                *__wa_p = __wa_v;                        \
            }                                            \
        });                                              \
    })
#define __sync_bool_compare_and_swap(p, d, v)        \
    __extension__({                                  \
        __typeof__(&*(p)) __wa_p = (p);              \
        __typeof__(*(p)) __wa_d = (d), __wa_v = (v); \
        int __wa_is;                                 \
        _Pragma("omp atomic compare capture") {      \
            __wa_is = *__wa_p == __wa_d;             \
            if (__wa_is) {                           \
                *__wa_p = __wa_v;                    \
            }                                        \
        }                                            \
        __wa_is;                                     \
    })
#define __atomic_compare_exchange_n(p, d, v, weak, order, order_else)             \
    __extension__({                                                               \
        __typeof__(&*(p)) __wa_p = (p);                                           \
        __typeof__(*(p)) *__wa_at = (d), __wa_d = *__wa_at, __wa_v = (v), __wa_x; \
        _Pragma("omp atomic compare capture") {                                   \
            __wa_x = *__wa_p;                                                     \
            if (*__wa_p == __wa_d) {                                              \
                *__wa_p = __wa_v;                                                 \
            }                                                                     \
        }                                                                         \
        *__wa_at = __wa_x;                                                        \
        __wa_x == __wa_d;                                                         \
    })
#define __atomic_load_n(p, order)                    \
    __extension__({                                  \
        __typeof__(&*(p)) __wa_p = (p);              \
        __typeof__(*(p)) __wa_x;                     \
        _Pragma("omp atomic read") __wa_x = *__wa_p; \
        __wa_x;                                      \
    })
#define __atomic_store_n(p, v, order)                 \
    __extension__({                                   \
        __typeof__(&*(p)) __wa_p = (p);               \
        __typeof__(*(p)) __wa_v = (v);                \
        _Pragma("omp atomic write") *__wa_p = __wa_v; \
    })
