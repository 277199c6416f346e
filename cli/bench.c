// `whorl bench`: measures on this machine, or makes the report of what was measured. The benchmark needs the peers'
// sources, their inputs and Python, so it is a part of the source tree and not of an installed copy: this command finds
// that tree and hands over to its scripts.
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

// The source tree that this program was built in: build/whorl, build/debug/whorl. False: it is installed, or was moved.
static bool find_tree(char self[PATH_MAX], char tree[PATH_MAX]) {
    static const char *const up[] = {"..", "../.."};
    ssize_t size = readlink("/proc/self/exe", self, PATH_MAX - 1);
    if (size <= 0) return false;
    self[size] = 0;
    for (size_t i = 0; i < sizeof up / sizeof *up; i++) {
        char folder[PATH_MAX], script[PATH_MAX + 32];
        snprintf(folder, sizeof folder, "%s", self);
        snprintf(script, sizeof script, "%.*s/%s/bench/run.sh", PATH_MAX - 1, dirname(folder), up[i]);
        if (access(script, X_OK) != 0 || !realpath(script, tree)) continue;
        tree[strlen(tree) - strlen("/bench/run.sh")] = 0;
        return true;
    }
    return false;
}

// Does not come back but for an error.
static enum cli_exit hand_over(const char **args) {
    (void)cli_push();
    execvp(args[0], (char *const *)(uintptr_t)args);
    if (errno == ENOENT) {
        cli_error("`whorl bench` needs `%s`, which is not here", args[0]);
        cli_hint("install Python 3, or name another interpreter: PYTHON=path whorl bench");
    } else {
        cli_error("cannot start `%s`: %s", args[0], strerror(errno));
    }
    return CLI_WRONG;
}

static enum cli_exit report(const struct cli_options *options, const char *tree) {
    const char *python = getenv("PYTHON");
    char script[PATH_MAX + 32];
    const char *args[6];
    int n = 0;
    snprintf(script, sizeof script, "%s/bench/report.py", tree);
    args[n++] = python && *python ? python : "python3";
    args[n++] = script;
    if (options->check) args[n++] = "--check";
    if (options->results) {
        args[n++] = "--results";
        args[n++] = options->results;
    }
    args[n] = NULL;
    return hand_over(args);
}

static enum cli_exit measure(const struct cli_options *options, const char *self, const char *tree) {
    char rows[PATH_MAX + 32], script[PATH_MAX + 32];
    const char *args[12];
    int n = 0;
    snprintf(rows, sizeof rows, "%s/build/whorl_rows", tree);
    snprintf(script, sizeof script, "%s/bench/run.sh", tree);
    if (access(rows, X_OK) != 0) {
        cli_error("the program that times whorl is not built: %s", rows);
        cli_hint("`make build/whorl_rows` in %s builds it; `make bench` does that and measures", tree);
        return CLI_WRONG;
    }
    setenv("WHORL", self, 0); // what was started is what is measured
    args[n++] = script;
    const struct {
        const char *name, *value;
    } given[] = {{"--only", options->only},
                 {"--without", options->without},
                 {"--sizes", options->sizes},
                 {"--out", options->json}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i].value) continue;
        args[n++] = given[i].name;
        args[n++] = given[i].value;
    }
    if (options->quick) args[n++] = "--quick";
    args[n] = NULL;
    return hand_over(args);
}

enum cli_exit cli_bench(const struct cli_options *options) {
    char self[PATH_MAX] = "", tree[PATH_MAX];
    if (!find_tree(self, tree)) {
        cli_error("the benchmark is not a part of an installed whorl: it needs the source tree, whose folder bench has "
                  "the peers and inputs");
        cli_hint("in a checkout: `make bench`, or `build/whorl bench`");
        return CLI_WRONG;
    }
    if (!options->report && (options->check || options->results)) {
        cli_error("`%s` goes with `--report`", options->check ? "--check" : "--results");
        return CLI_USAGE;
    }
    const char *measuring = options->only      ? "--only"
                            : options->without ? "--without"
                            : options->sizes   ? "--sizes"
                            : options->json    ? "--json"
                            : options->quick   ? "--quick"
                                               : NULL;
    if (options->report && measuring) {
        cli_error("`%s` is for measuring, `--report` makes tables of what was measured", measuring);
        return CLI_USAGE;
    }
    return options->report ? report(options, tree) : measure(options, self, tree);
}
