// The CPU device runs the user's own C as native code: an index outside its array may end the process. It then ends with a word about
// what happened instead of none. Only what is safe in a signal handler is used.
#include <signal.h>
#include <unistd.h>

#include "commands.h"

static void on_crash(int number) {
    static const char memory[] =
        "whorl: error: the program crashed on the CPU (a bad memory access); most likely an index is outside its "
        "array\n"
        "whorl: `cc -g -fsanitize=address,undefined -fopenmp` on the same file names the line\n";
    static const char division[] = "whorl: error: the program crashed on the CPU (an integer division by zero)\n";
    static const char heap[] =
        "whorl: error: the program damaged memory on the CPU; most likely an index is outside its array\n"
        "whorl: `cc -g -fsanitize=address,undefined -fopenmp` on the same file names the line\n";
    static volatile sig_atomic_t said; // several threads may fall over at once: one speaks
    if (said++ == 0) {
        ssize_t ignored = number == SIGFPE    ? write(STDERR_FILENO, division, sizeof division - 1)
                          : number == SIGABRT ? write(STDERR_FILENO, heap, sizeof heap - 1)
                                              : write(STDERR_FILENO, memory, sizeof memory - 1);
        (void)ignored;
        _exit(CLI_WRONG);
    }
    for (;;)
        pause();
}

void cli_catch_crashes(void) {
    struct sigaction action = {.sa_handler = on_crash};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGABRT, &action, NULL); // the C library found its heap in pieces
}
