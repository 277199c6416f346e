// whorl - the command. See options.def for what it understands.
#include <locale.h>
#include <string.h>

#include "cc/cc.h"
#include "commands.h"
#include "guard.h"
#include "outputs.h"

static const struct {
    enum cli_exit (*run)(const struct cli_options *options);
    size_t files;    // how many FILE arguments it needs
    bool is_guarded; // it may take long, or fall over
    size_t others;   // arguments beside them that it may have
} commands[CLI_COMMANDS] = {
    [CLI_RUN] = {cli_run, 1, true, 0},
    [CLI_PROFILE] = {cli_profile, 1, true, 0},
    [CLI_SHOW] = {cli_show, 1, true, 0},
    [CLI_EXPLAIN] = {cli_explain, 1, true, 0},
    [CLI_DEVICES] = {cli_devices, 0, true, 0},
    [CLI_PROBE] = {cli_probe, 0, true, 0},
    [CLI_PICK] = {cli_pick, 1, false, 0},
    [CLI_PLOT] = {cli_plot, 1, false, 0},
    [CLI_BENCH] = {cli_bench, 0, false, 0}, // becomes another program
    [CLI_GENERATE] = {cli_generate, 1, true, 1},
    [CLI_SERVE] = {cli_serve, 1, true, 0},
    [CLI_PERPLEXITY] = {cli_perplexity, 2, true, 0},
    [CLI_CHECK_MODEL] = {cli_check_model, 1, true, 1},
    [CLI_BENCH_DECODE] = {cli_bench_decode, 1, true, 0},
};

static enum cli_exit unknown_command(const char *name) {
    const char *names[CLI_COMMANDS + 1];
    size_t size = strlen(name);
    for (int c = 0; c < CLI_COMMANDS; c++)
        names[c] = cli_command_names[c];
    names[CLI_COMMANDS] = NULL;
    const char *close = cli_closest(name, names);
    static const char *const others[][2] = {{"compile", "show"},           {"build", "show"},
                                            {"check", "run FILE --check"}, {"test", "run FILE --test --check"},
                                            {"race", "run FILE --race"},   {"version", "--version"},
                                            {"list", "devices"},           {"info", "devices"},
                                            {"tune", "run FILE --tune"},   {"compare", "run FILE --compare"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i][0]) == 0) close = others[i][1];
    cli_error("there is no command `%s`", name);
    if (name[0] != '-' && (strstr(name, ".c:") || (size > 2 && strcmp(name + size - 2, ".c") == 0)))
        cli_hint("did you mean `whorl run %s`?", name);
    else if (close)
        cli_hint("did you mean `whorl %s`? `whorl help` lists the commands", close);
    else
        cli_hint("`whorl help` lists the commands");
    return CLI_USAGE;
}

static enum cli_exit no_use_for(const char *name, const char *arg) {
    cli_error("`whorl %s` has no use for `%s`", name, arg);
    return CLI_USAGE;
}

static enum cli_exit help(int count, char **args) {
    int used = 0;
    enum cli_command about = count ? cli_command_find(count, args, &used) : CLI_COMMANDS;
    if (count && about == CLI_COMMANDS) return unknown_command(args[0]);
    if (count > used) return no_use_for("help", args[used]);
    if (about == CLI_CC) return (enum cli_exit)cc_main(1, (char *[]){"--help"});
    cli_usage(stdout, about);
    return CLI_OK;
}

static enum cli_exit run_command(enum cli_command command, int count, char **args) {
    struct cli_options options;
    struct whorl_error err = {0};
    enum cli_exit code = CLI_USAGE;
    const char *name = cli_command_names[command];
    if (cli_options_parse(command, count, args, &options)) {
        if (options.help) {
            cli_usage(stdout, command);
            code = CLI_OK;
        } else if (options.files.count < commands[command].files && !options.site) {
            cli_error("`whorl %s` needs a file: whorl %s %s", name, name, cli_command_table[command].arguments);
            cli_hint("`whorl help %s` has the details", name);
        } else if (options.files.count > commands[command].files + commands[command].others) {
            cli_error("`whorl %s` has no use for `%s`", name,
                      options.files.items[commands[command].files + commands[command].others]);
            cli_hint("%s`whorl help %s` has the details",
                     command <= CLI_EXPLAIN ? "inputs are given as -i NAME=VALUE; " : "", name);
        } else if (outputs_check_json(options.json, &err) != WHORL_OK) {
            code = cli_report(&err);
        } else {
            code = commands[command].is_guarded ? guard_run(&options, commands[command].run)
                                                : commands[command].run(&options);
        }
    }
    cli_options_deinit(&options);
    return code;
}

static enum cli_exit dispatch(int argc, char **argv) {
    if (argc < 2) {
        cli_usage(stderr, CLI_COMMANDS);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    bool is_alone = strcmp(name, "--version") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
                    strcmp(name, "--man") == 0 || strcmp(name, "--completion") == 0;
    if (is_alone && argc > 2) return no_use_for(name, argv[2]);
    if (strcmp(name, "--version") == 0) {
        printf("whorl %s\n", whorl_version());
        return CLI_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return help(0, NULL);
    if (strcmp(name, "--man") == 0) {
        cli_man(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "--completion") == 0) {
        cli_completion(stdout);
        return CLI_OK;
    }
    if (strcmp(name, "cc") == 0) return (enum cli_exit)cc_main(argc - 2, argv + 2); // its arguments are a compiler's
    int used;
    enum cli_command command = cli_command_find(argc - 1, argv + 1, &used);
    if (command == CLI_HELP) return help(argc - 2, argv + 2);
    return command == CLI_COMMANDS ? unknown_command(name) : run_command(command, argc - 1 - used, argv + 1 + used);
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, ""); // only what a character is: numbers keep their point
    return (int)cli_flush(dispatch(argc, argv));
}
