// The CPU device runs the user's own C as native code: an index outside its array may end the process. It then ends with a word about
// what happened instead of none. Only what is safe in a signal handler is used.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

static void say(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void on_crash(int number) {
    say("whorl: error: the program crashed on the CPU (");
    say(number == SIGFPE ? "division by zero" : "a bad memory access");
    say("); most likely an index is outside its array\n"
        "whorl: `cc -g -fsanitize=address,undefined -fopenmp` on the same file names the line\n");
    _exit(CLI_WRONG);
}

void cli_catch_crashes(void) {
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
}
