// Help, man page and bash completion, all from the tables of options.c.
#include <string.h>

#include "options.h"

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
        cli_wrap(out, o->help, indent, indent, width);
    }
}

static void overview(FILE *out, int width) {
    fprintf(out, "whorl %s - runs C programs with OpenMP on the GPU, whole loops in one dispatch\n\n", whorl_version());
    fprintf(out, "usage: whorl COMMAND [OPTIONS]\n\n");
    for (int c = 0; c < CLI_COMMANDS; c++) {
        const struct cli_command_text *t = &cli_command_table[c];
        char name[64];
        snprintf(name, sizeof name, "%s %s", t->name, t->arguments);
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
    fprintf(out, "whorl %s - %s\n\nusage: whorl %s%s%s [OPTIONS]\n\nOptions:\n", t->name, t->summary, t->name,
            *t->arguments ? " " : "", t->arguments);
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
        roff(out, o->help);
        fputs(" (", out);
        const char *separator = "";
        for (int c = 0; c < CLI_COMMANDS; c++)
            if (o->commands & (1u << c)) {
                fprintf(out, "%s%s", separator, cli_command_table[c].name);
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
        fprintf(out, "%s.B whorl %s\n.I %s\n", c ? ".br\n" : "", cli_command_table[c].name,
                *cli_command_table[c].arguments ? cli_command_table[c].arguments : "\\&");
    fputs(".SH DESCRIPTION\nA C file with OpenMP loops is compiled to one WebGPU kernel that keeps the whole loop on "
          "the GPU, and run. "
          "The same file compiled by cc on the CPU is the judge of the result.\n.SH COMMANDS\n",
          out);
    for (int c = 0; c < CLI_COMMANDS; c++) {
        fprintf(out, ".TP\n.B %s %s\n", cli_command_table[c].name, cli_command_table[c].arguments);
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
        if (!strchr(cli_command_table[c].name, ' ')) fprintf(out, "%s ", cli_command_table[c].name);
    fputs("--version --help'\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n        return\n    "
          "fi\n"
          "    case $prev in\n",
          out);
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct cli_option *o = &cli_option_table[i];
        if (!o->choices) continue;
        fprintf(out, "    %s) mapfile -t COMPREPLY < <(compgen ", o->name);
        if (strcmp(o->choices, "FILE") == 0)
            fputs("-f", out);
        else
            fprintf(out, "-W '%s'", o->choices);
        fputs(" -- \"$cur\"); return ;;\n", out);
    }
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", out);
    for (int c = 0; c < CLI_HELP; c++) {
        if (strchr(cli_command_table[c].name, ' ')) continue;
        fprintf(out, "    %s) words='", cli_command_table[c].name);
        words_of(out, c);
        if (c == CLI_BENCH) fputs("decode ", out);
        fputs("' ;;\n", out);
    }
    fputs("    help) words='", out);
    for (int c = 0; c < CLI_HELP; c++)
        fprintf(out, "%s ", cli_command_table[c].name);
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
