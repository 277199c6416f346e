# Source this in bash, in the root of the tree: what the sanitizers of build/debug need to know. What is set already is kept.
#
# Vulkan drivers keep memory to the end of the process; their leaks are not ours.
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$PWD/tools/leaks.supp:print_suppressions=0}
# intercept_tls_get_addr=0: where the thread variables of a library that was loaded by dlopen begin 16 bytes above the start of a page,
# AddressSanitizer takes the 16 bytes for a header of glibc 2.19 with their place and size (Glibc_2_19_tls_header of compiler-rt's
# sanitizer_tls_get_addr.cpp). Later glibcs take that memory from malloc, so that the bytes are the header of AddressSanitizer's own
# block, and at the process's end the leak checker reads at what is no address: its tracer dies ("has encountered a fatal error").
export ASAN_OPTIONS=intercept_tls_get_addr=0:${ASAN_OPTIONS:-detect_stack_use_after_return=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
