// Help, man page and bash completion: of the options in options.def, and of the commands.
#include <string.h>

#include "options.h"

// By option, as cli_option_table.
static const struct {
    const char *choices, *help;
} option_texts[] = {
#define OPTION(name, other, kind, field, value, choices, commands, in_directive, is_hook, help) {choices, help},
#include "options.def"
#undef OPTION
};

static const char inputs_help[] = "Inputs:\n"
                                  "  -i n=4096  -i rate=0.05  numbers, for scalars\n"
                                  "  -i x=@data.npy           an array from NumPy in C order:\n"
                                  "                          "
#define X(name, text, bytes, carrier, round, npy, lowest, highest) " " text
#include "base/dtype.def"
#undef X
                                  "\n"
                                  "  -i x=1,2.5,3             these elements\n"
                                  "  -i x=zeros               or const:0.5, or arange (0, 1, 2 ...)\n"
                                  "  -i x=uniform:lo=-1,hi=1,seed=1   lo <= x < hi\n"
                                  "  -i x=normal:mean=0,sd=1,seed=1\n"
                                  "  -i x=normal:64x163,seed=1        with its size, for a `float *x`\n"
                                  "  -i x=uniform:lo=0,hi=2*n         numbers by scalars of the program\n"
                                  "Arrays that are not const start at zero without -i. The command line wins over\n"
                                  "the file's // run: line.\n";

const struct cli_command_text cli_command_table[CLI_COMMANDS] = {
    [CLI_RUN] = {"FILE[:FUNCTION]", "compile a C program and run it", inputs_help},
    [CLI_PROFILE] = {"FILE[:FUNCTION]", "measure which loops take the time of the one dispatch", inputs_help},
    [CLI_SHOW] = {"FILE[:FUNCTION]", "print the generated code: kernels, plan, C", inputs_help},
    [CLI_EXPLAIN] = {"FILE[:FUNCTION]", "say what the compiler did, and why not more", inputs_help},
    [CLI_DEVICES] = {"", "list the devices and what was measured on them", NULL},
    [CLI_PROBE] = {"", "show all that was measured on one device", NULL},
    [CLI_PICK] = {"FILE.npy", "print the best, median and worst rows (-o rows=FILE.npy keeps their numbers)", NULL},
    [CLI_PLOT] = {"FILE.npy", "draw the rows of an array as curves in the terminal", NULL},
    [CLI_BENCH] = {"", "run the benchmark in a source tree, or write its report",
                   "Measures every workload of bench/workloads.json in every strategy, beside JAX\n"
                   "and PyTorch where Python has them; on a software GPU in tiny sizes, which only\n"
                   "show that all of it works. docs/benchmarking.md has the protocol. PYTHON names\n"
                   "the interpreter.\n"},
    [CLI_GENERATE] = {"MODEL [PROMPT]", "continue a text with a language model",
                      "MODEL is a folder as Hugging Face has it (config.json, tokenizer.json,\n"
                      "*.safetensors) or a GGUF file, of the families llama, qwen2 and qwen3. The text\n"
                      "goes to standard output while it is made, times to standard error.\n"
                      "docs/models.md has more.\n"},
    [CLI_SERVE] = {"MODEL|--site [FOLDER]", "answer OpenAI's HTTP API with a language model, or serve the site",
                   "At / is a page to chat with it; /v1/models, /v1/completions,\n"
                   "/v1/chat/completions, /health and /metrics are for programs. docs/serve.md has\n"
                   "more.\n"},
    [CLI_PERPLEXITY] = {"MODEL TEXT.txt", "measure how well a language model foretells a text",
                        "The text is cut into windows that overlap; each token is scored once, in the\n"
                        "first window that holds it. docs/models.md has more.\n"},
    [CLI_CHECK_MODEL] = {"MODEL [TEXT]", "compare a language model's layers on the GPU with the CPU",
                         "Names every tensor of the file that holds NaN, infinity or a number too large,\n"
                         "runs the first tokens of TEXT on both, and says how far what comes out of each\n"
                         "layer is apart, and where the first number that is none appears.\n"},
    [CLI_BENCH_DECODE] = {"MODEL", "measure how many tokens a second a language model makes",
                          "At each length of --context the last tokens (32, or half of them) are timed; what\n"
                          "stands before them is computed once. docs/models.md has more.\n"},
    [CLI_CC] = {"ARGUMENTS", "compile programs as cc does; their parallel regions run on the GPU", NULL},
    [CLI_HELP] = {"[COMMAND]", "this help, or a command's", NULL},
};

static const char *const exit_lines[] = {"0    done",
                                         "1    the program or its input is wrong, or --check found a difference",
                                         "2    the command line is wrong",
                                         "3    the device is missing or failed",
                                         "124  the time of --max-time is over",
                                         "130  cancelled by Ctrl-C, SIGTERM or SIGHUP",
                                         NULL};

static const struct {
    const char *name, *text;
} environment[] = {
    {"WHORL_WEBGPU", "path of the WebGPU library to use"},
    {"VK_DRIVER_FILES", "the Vulkan driver to use"},
    {"CC", "compiler of the CPU device (cc)"},
    {"XDG_CACHE_HOME", "where measurements and CPU objects are kept (~/.cache)"},
    {"NO_COLOR", "no colours"},
};
enum { ENVIRONMENT = sizeof environment / sizeof *environment };

static void spelling(const struct cli_option *o, char *out, size_t size) {
    const char *glue = !o->value ? "" : o->name[1] == '-' ? "=" : o->name[1] == 'D' || o->name[1] == 'I' ? "" : " ";
    snprintf(out, size, "%s%s%s%s%s", o->other ? o->other : "", o->other ? ", " : "", o->name, glue,
             o->value ? o->value : "");
}

static void list_options(FILE *out, uint32_t commands, bool hooks, int width) {
    int indent = width < 60 ? 8 : 26;
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if (!(o->commands & commands) || o->is_hook != hooks) continue;
        char name[80];
        spelling(o, name, sizeof name);
        int at = fprintf(out, "  %s", name);
        if (at + 2 > indent) {
            fprintf(out, "\n%*s", indent, "");
        } else {
            fprintf(out, "%*s", indent - at, "");
        }
        cli_wrap(out, option_texts[i].help, indent, indent, width);
    }
}

static void overview(FILE *out, int width) {
    fprintf(out, "whorl %s - runs C programs with OpenMP on the GPU, whole loops in one dispatch\n\n", whorl_version());
    fprintf(out, "usage: whorl COMMAND [OPTIONS]\n\n");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_command_text *t = &cli_command_table[c];
        char name[64];
        snprintf(name, sizeof name, "%s %s", cli_command_names[c], t->arguments);
        if (strlen(name) < 24)
            fprintf(out, "  %-24s", name);
        else
            fprintf(out, "  %s\n%26s", name, "");
        cli_wrap(out, t->summary, 26, 26, width);
    }
    fprintf(out, "\n  whorl --version, --man (roff), --completion (bash)\n\n");
    fprintf(out, "Try:\n");
    fprintf(out, "  whorl run programs/sims/acrobot.c --check\n");
    fprintf(out, "  whorl run programs/sims/acrobot_steps.c --test --compare\n\n");
    fprintf(out, "Exit codes:\n");
    for (int i = 0; exit_lines[i]; i++)
        fprintf(out, "  %s\n", exit_lines[i]);
}

void cli_usage(FILE *out, enum cli_command command) {
    int width = cli_width(out);
    if (width > 100) width = 100;
    if (command == CLI_COMMANDS || command == CLI_HELP) {
        overview(out, width);
        return;
    }
    const struct cli_command_text *t = &cli_command_table[command];
    fprintf(out, "whorl %s - %s\n\nusage: whorl %s%s%s [OPTIONS]\n\nOptions:\n", cli_command_names[command], t->summary,
            cli_command_names[command], *t->arguments ? " " : "", t->arguments);
    list_options(out, 1u << command, false, width);
    if (command <= CLI_EXPLAIN) {
        fprintf(out, "\nFor tests and for work on the compiler:\n");
        list_options(out, 1u << command, true, width);
    }
    if (t->more) fprintf(out, "\n%s", t->more);
}

// ---- man page ----

// roff reads a leading dot or quote as a command and a backslash as an escape; a minus sign is to be copied as such.
static void roff(FILE *out, const char *text) {
    for (bool at_start = true; *text; text++) {
        if (at_start && (*text == '.' || *text == '\'')) fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        at_start = *text == '\n';
    }
}

static void man_options(FILE *out, bool hooks) {
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        char name[80];
        if (o->is_hook != hooks) continue;
        spelling(o, name, sizeof name);
        fputs(".TP\n.B ", out);
        roff(out, name);
        fputc('\n', out);
        roff(out, option_texts[i].help);
        fputs(" (", out);
        const char *separator = "";
        for (int c = 0; c < CLI_COMMANDS; c++)
            if (o->commands & (1u << c)) {
                fprintf(out, "%s%s", separator, cli_command_names[c]);
                separator = ", ";
            }
        fputs(")\n", out);
    }
}

void cli_man(FILE *out) {
    fprintf(out, ".TH WHORL 1 \"\" \"whorl %s\" \"User Commands\"\n", whorl_version());
    fputs(".SH NAME\nwhorl \\- runs C programs with OpenMP on the GPU, whole loops in one dispatch\n.SH SYNOPSIS\n",
          out);
    for (int c = 0; c < CLI_COMMANDS; c++)
        fprintf(out, "%s.B whorl %s\n.I %s\n", c ? ".br\n" : "", cli_command_names[c],
                *cli_command_table[c].arguments ? cli_command_table[c].arguments : "\\&");
    fputs(".SH DESCRIPTION\nA C file with OpenMP loops is compiled to one WebGPU kernel that keeps the whole loop on "
          "the GPU, and run. "
          "The same file compiled by cc on the CPU is the judge of the result.\n.SH COMMANDS\n",
          out);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        fprintf(out, ".TP\n.B %s %s\n", cli_command_names[c], cli_command_table[c].arguments);
        roff(out, cli_command_table[c].summary);
        fputc('\n', out);
    }
    fputs(".SH OPTIONS\n", out);
    man_options(out, false);
    fputs(".SS For tests and for work on the compiler\n", out);
    man_options(out, true);
    fputs(".SH INPUTS\n.nf\n", out);
    roff(out, cli_command_table[CLI_RUN].more);
    fputs(".fi\n.SH EXIT STATUS\n.nf\n", out);
    for (int i = 0; exit_lines[i]; i++) {
        roff(out, exit_lines[i]);
        fputc('\n', out);
    }
    fputs(".fi\n.SH ENVIRONMENT\n", out);
    for (int i = 0; i < ENVIRONMENT; i++)
        fprintf(out, ".TP\n.B %s\n%s\n", environment[i].name, environment[i].text);
    fputs(".SH EXAMPLES\n.nf\nwhorl run programs/sims/acrobot.c\nwhorl run my.c:step \\-i n=4096 \\-i x=normal:seed=1 "
          "\\-o y=out.npy \\-\\-check\nwhorl run my.c \\-\\-compare\nwhorl show my.c \\-\\-wgsl\n.fi\n",
          out);
}

// ---- completion ----

static void words_of(FILE *out, int command) {
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if (o->commands & (1u << command)) fprintf(out, "%s%s ", o->name, o->value && o->name[1] == '-' ? "=" : "");
    }
}

void cli_completion(FILE *out) {
    fputs("# bash completion for whorl, written by `whorl --completion`\n_whorl() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words\n"
          "    COMPREPLY=()\n"
          "    # bash splits --name=value into three words\n"
          "    if [ \"$cur\" = = ]; then cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='",
          out);
    for (int c = 0; c < CLI_COMMANDS; c++)
        if (!strchr(cli_command_names[c], ' ')) fprintf(out, "%s ", cli_command_names[c]);
    fputs("--version --help'\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n        return\n    "
          "fi\n"
          "    case $prev in\n",
          out);
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if (!option_texts[i].choices) continue;
        fprintf(out, "    %s) mapfile -t COMPREPLY < <(compgen ", o->name);
        if (strcmp(option_texts[i].choices, "FILE") == 0)
            fputs("-f", out);
        else
            fprintf(out, "-W '%s'", option_texts[i].choices);
        fputs(" -- \"$cur\"); return ;;\n", out);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", out);
    for (int c = 0; c < CLI_HELP; c++) {
        if (strchr(cli_command_names[c], ' ')) continue;
        fprintf(out, "    %s) words='", cli_command_names[c]);
        words_of(out, c);
        if (c == CLI_BENCH) fputs("decode ", out);
        fputs("' ;;\n", out);
    }
    fputs("    help) words='", out);
    for (int c = 0; c < CLI_HELP; c++)
        fprintf(out, "%s ", cli_command_names[c]);
    fputs(
        "' ;;\n    esac\n"
        "    case $cur in\n"
        "    -*) compopt -o nospace 2> /dev/null; mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
        "    *) if [ \"${COMP_WORDS[1]}\" = help ]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
        "       else mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); fi ;;\n"
        "    esac\n}\n"
        "complete -o filenames -F _whorl whorl\n",
        out);
}
