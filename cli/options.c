// The option table and the parser that it drives.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum {
    RUN = 1 << CLI_RUN,
    PROFILE = 1 << CLI_PROFILE,
    SHOW = 1 << CLI_SHOW,
    EXPLAIN = 1 << CLI_EXPLAIN,
    DEVICES = 1 << CLI_DEVICES,
    PROBE = 1 << CLI_PROBE,
    PICK = 1 << CLI_PICK,
    PLOT = 1 << CLI_PLOT,
    BENCH = 1 << CLI_BENCH,
    GENERATE = 1 << CLI_GENERATE,
    SERVE = 1 << CLI_SERVE,
    PERPLEXITY = 1 << CLI_PERPLEXITY,
    CHECK_MODEL = 1 << CLI_CHECK_MODEL,
    BENCH_DECODE = 1 << CLI_BENCH_DECODE,
    MODEL = GENERATE | SERVE | PERPLEXITY | CHECK_MODEL | BENCH_DECODE, // commands that run a language model
    PROGRAM = RUN | PROFILE | SHOW | EXPLAIN,                           // commands that compile a program
    EVERY = PROGRAM | DEVICES | PROBE | PICK | PLOT | MODEL
};

const struct cli_option cli_option_table[] = {
#define OPTION(name, other, kind, field, value, choices, commands, in_directive, is_hook, help) \
    {name, other, CLI_KIND_##kind, offsetof(struct cli_options, field), value, commands, in_directive, is_hook},
#include "options.def"
#undef OPTION
};
const size_t cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;

const char *const cli_command_names[CLI_COMMANDS] = {
    [CLI_RUN] = "run",
    [CLI_PROFILE] = "profile",
    [CLI_SHOW] = "show",
    [CLI_EXPLAIN] = "explain",
    [CLI_DEVICES] = "devices",
    [CLI_PROBE] = "probe",
    [CLI_PICK] = "pick",
    [CLI_PLOT] = "plot",
    [CLI_BENCH] = "bench",
    [CLI_GENERATE] = "generate",
    [CLI_SERVE] = "serve",
    [CLI_PERPLEXITY] = "perplexity",
    [CLI_CHECK_MODEL] = "check-model",
    [CLI_BENCH_DECODE] = "bench decode",
    [CLI_CC] = "cc",
    [CLI_HELP] = "help",
};

enum cli_command cli_command_find(int count, char **words, int *out_used) {
    int most = 0, found = CLI_COMMANDS;
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const char *name = cli_command_names[c];
        size_t first = strcspn(name, " ");
        int used = name[first] ? 2 : 1;
        bool same = count >= used && strlen(words[0]) == first && strncmp(name, words[0], first) == 0 &&
                    (used == 1 || strcmp(name + first + 1, words[1]) == 0);
        if (!same || used <= most) continue;
        most = used;
        found = c;
    }
    *out_used = most;
    return (enum cli_command)found;
}

// ---- lists ----

void cli_list_add(struct cli_list *list, const char *item) {
    if (list->count == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 8;
        const char **items = realloc(list->items, cap * sizeof *items);
        if (!items) {
            cli_error("out of memory");
            exit(CLI_WRONG);
        }
        list->items = items;
        list->cap = cap;
    }
    list->items[list->count++] = item;
}

void cli_list_deinit(struct cli_list *list) {
    free(list->items);
    *list = (struct cli_list){0};
}

void cli_options_deinit(struct cli_options *options) {
    for (size_t i = 0; i < cli_option_count; i++)
        if (cli_option_table[i].kind == CLI_KIND_LIST)
            cli_list_deinit((struct cli_list *)(void *)((char *)options + cli_option_table[i].offset));
    cli_list_deinit(&options->files);
}

// ---- one option ----

static bool spelled(const struct cli_option *o, const char *name, const char *arg, const char **out_value) {
    size_t size = name ? strlen(name) : 0;
    if (!name || strncmp(arg, name, size) != 0) return false;
    bool is_long = name[1] == '-';
    if (arg[size] == 0) {
        *out_value = NULL;
        return true;
    }
    if (o->kind == CLI_KIND_FLAG || (is_long && arg[size] != '=')) return false;
    *out_value = arg + size + (is_long ? 1 : 0);
    return true;
}

const struct cli_option *cli_option_find(uint32_t commands, const char *arg, const char **out_value) {
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if ((o->commands & commands) && (spelled(o, o->name, arg, out_value) || spelled(o, o->other, arg, out_value)))
            return o;
    }
    return NULL;
}

static const char *take_count(const char *value, uint64_t *out) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(value, &end, 10);
    if (end == value || *end || errno || n == 0 || value[0] == '-') return "needs a whole number of at least 1";
    *out = n;
    return NULL;
}

static const char *take_strategy(const char *value, enum whorl_strategy *out) {
    for (int s = WHORL_AUTO; s <= WHORL_CPU; s++)
        if (strcmp(value, whorl_strategy_name((enum whorl_strategy)s)) == 0) {
            *out = (enum whorl_strategy)s;
            return NULL;
        }
    return "is auto, single, steps, eager or cpu";
}

static bool is_device(const char *value) {
    return strcmp(value, "auto") == 0 || strcmp(value, "cpu") == 0 || strcmp(value, "gpu") == 0 ||
           (*value && value[strspn(value, "0123456789")] == 0);
}

// What is drawn from, a port, a form: values that would be wrong whatever the model is. NULL: it fits, or is another's.
static const char *out_of_range(const struct cli_options *o, const void *field) {
    if (field == &o->temperature && !(o->temperature >= 0 && o->temperature <= 100)) return "takes 0 to 100";
    if (field == &o->top_p && !(o->top_p >= 0 && o->top_p <= 1)) return "takes a share, 0 to 1";
    if (field == &o->min_p && !(o->min_p >= 0 && o->min_p < 1)) return "takes a share, 0 to 1";
    if (field == &o->penalty && !(o->penalty >= 0 && o->penalty <= 100)) return "takes 1 to 100";
    if (field == &o->port && o->port > UINT16_MAX) return "is 1 to 65535";
    if (field == &o->quantize && strcmp(o->quantize, "q8") != 0 && strcmp(o->quantize, "q4") != 0 &&
        strcmp(o->quantize, "none") != 0)
        return "is q8, q4 or none";
    return NULL;
}

const char *cli_option_apply(const struct cli_option *option, const char *value, struct cli_options *options) {
    void *field = (char *)options + option->offset;
    char *end;
    switch (option->kind) {
    case CLI_KIND_FLAG: *(bool *)field = true; return NULL;
    case CLI_KIND_TEXT:
        *(const char **)field = value;
        if (field == &options->device && !is_device(value)) return "is auto, cpu, gpu or a number of `whorl devices`";
        return *value ? out_of_range(options, field) : "needs a value";
    case CLI_KIND_LIST: cli_list_add(field, value); return *value ? NULL : "needs a value";
    case CLI_KIND_COUNT: {
        const char *wrong = take_count(value, field);
        bool is_word = field == &options->register_budget || field == &options->lanes || field == &options->subgroup ||
                       field == &options->workgroup_size || field == &options->workgroup_bytes ||
                       field == &options->groups || field == &options->height;
        if (wrong) return wrong;
        return is_word && *(uint64_t *)field > UINT32_MAX ? "is too large" : out_of_range(options, field);
    }
    case CLI_KIND_NUMBER:
        *(double *)field = strtod(value, &end);
        if (end == value || *end || !isfinite(*(double *)field)) return "needs a number";
        if (field == &options->max_time && !(options->max_time > 0)) return "needs a number of seconds above 0";
        return out_of_range(options, field);
    case CLI_KIND_STRATEGY: return take_strategy(value, field);
    }
    return "cannot be used";
}

// ---- the whole line ----

// What other tools call it. NULL: nothing that is known here.
static const char *other_words(const char *arg) {
    static const struct {
        const char *option, *say;
    } known[] = {{"--gpu", "`--device gpu`"},
                 {"--cpu", "`--device cpu`"},
                 {"--single", "`--strategy single`"},
                 {"--steps", "`--strategy steps`"},
                 {"--eager", "`--strategy eager`"},
                 {"--profile", "the command `whorl profile FILE`"},
                 {"--explain", "the command `whorl explain FILE`"},
                 {"--show", "the command `whorl show FILE`"},
                 {"--output", "`-o NAME=FILE`"},
                 {"--input", "`-i NAME=VALUE`"},
                 {"-n", "`-i n=VALUE`: each scalar and array is an input"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(arg, known[i].option) == 0) return known[i].say;
    bool compilers = strncmp(arg, "-O", 2) == 0 || strncmp(arg, "-l", 2) == 0 || strncmp(arg, "-W", 2) == 0 ||
                     strncmp(arg, "-march", 6) == 0 || strncmp(arg, "-std", 4) == 0 || strcmp(arg, "-fopenmp") == 0;
    return compilers ? "nothing: of a C compiler's options whorl takes -D and -I, and needs no other" : NULL;
}

static bool wrong_option(enum cli_command command, const char *arg) {
    const char *names[2 * sizeof cli_option_table / sizeof *cli_option_table + 1], *ignored;
    const struct cli_option *elsewhere = cli_option_find(EVERY | BENCH, arg, &ignored);
    size_t count = 0;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(arg, "="), arg);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (!(cli_option_table[i].commands & (1u << command))) continue;
        names[count++] = cli_option_table[i].name;
        if (cli_option_table[i].other) names[count++] = cli_option_table[i].other;
    }
    names[count] = NULL;
    const char *close = strncmp(arg, "-f", 2) == 0 ? cli_closest(arg, names) : cli_closest(bare, names);
    if (elsewhere && (arg[1] == '-' || strlen(elsewhere->name) == strlen(bare))) // -fdouble=half is no -f
        cli_error("`%s` is not an option of `whorl %s`", bare, cli_command_names[command]);
    else
        cli_error("unknown option `%s`", strncmp(arg, "-f", 2) == 0 ? arg : bare);
    const char *other = elsewhere ? NULL : other_words(bare);
    if (other)
        cli_hint("meant is %s", other);
    else if (close && !elsewhere)
        cli_hint("did you mean `%s`? `whorl help %s` lists all options", close, cli_command_names[command]);
    else
        cli_hint("`whorl help %s` lists its options", cli_command_names[command]);
    return false;
}

bool cli_options_parse(enum cli_command command, int count, char **args, struct cli_options *options) {
    *options = (struct cli_options){0};
    bool only_files = false;
    for (int i = 0; i < count; i++) {
        const char *arg = args[i], *value;
        if (only_files || arg[0] != '-' || !arg[1]) {
            cli_list_add(&options->files, arg);
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_files = true;
            continue;
        }
        const struct cli_option *o = cli_option_find(1u << command, arg, &value);
        if (!o) return wrong_option(command, arg);
        if (o->kind != CLI_KIND_FLAG && !value) {
            if (i + 1 == count) {
                cli_error("`%s` needs a value: %s %s", arg, o->name, o->value);
                return false;
            }
            value = args[++i];
        }
        const char *wrong = cli_option_apply(o, value, options);
        if (wrong) {
            cli_error("`%s` %s, not `%s`", o->name, wrong, value);
            return false;
        }
    }
    if ((options->top_p > 0 || options->top_k > 0 || options->min_p > 0) && options->temperature == 0) {
        cli_error("--top-p, --top-k and --min-p are about what is drawn: add --temp 0.7");
        return false;
    }
    return true;
}
