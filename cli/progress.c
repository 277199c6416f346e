// The bar appears only once a run has taken half a second, so that quick runs print nothing but their result.
#include <string.h>

#include "guard.h"
#include "progress.h"
#include "terminal.h"

static const char *remaining(const struct progress *state, const struct whorl_progress *p, char *out) {
    double done = p->fraction - state->before, took_s = p->elapsed_s - state->before_s;
    if (done < 0.01) return strcpy(out, "?");
    return cli_duration(took_s * (1 - p->fraction) / done * 1e3, out);
}

// Where data decide how much there is to do: what is done.
static void draw_count(const struct progress *state, const struct whorl_progress *p) {
    char count[32], time[32];
    fprintf(stderr, "\r\033[K%s  %s dispatch%s  %s", state->name, cli_thousands(p->dispatches, count),
            p->dispatches == 1 ? "" : "es", cli_duration(p->elapsed_s * 1e3, time));
    fflush(stderr);
}

static void draw(const struct progress *state, const struct whorl_progress *p) {
    char left[32];
    int width = cli_width(stderr), used = 22 + (int)strlen(state->name), cells = width - used < 40 ? width - used : 40;
    bool utf8 = cli_is_utf8();
    fprintf(stderr, "\r\033[K%s ", state->name);
    if (cells >= 8) {
        int eighths = (int)(p->fraction * cells * 8);
        static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
        fputs(cli_style(stderr, CLI_GREEN), stderr);
        for (int i = 0; i < cells; i++) {
            if (i < eighths / 8)
                fputs(utf8 ? "█" : "#", stderr);
            else if (i == eighths / 8 && utf8 && eighths % 8)
                fputs(parts[eighths % 8], stderr);
            else
                fputs(utf8 ? "░" : ".", stderr);
        }
        fprintf(stderr, "%s ", cli_style(stderr, CLI_PLAIN));
    }
    fprintf(stderr, "%3.0f%%  %s left", p->fraction * 100, remaining(state, p, left));
    fflush(stderr);
}

// --max-time: the run stops after this call.
static bool is_over(void) {
    double left = guard_left_s();
    return left > 0 && left < 1e-5;
}

// Lines stay, so one that says the same again, of a kernel or a slice that is not done, comes after 1 s, 2 s, 4 s.
static double line_pause(struct progress *state, const struct whorl_progress *p) {
    const char *doing = p->doing ? p->doing : "";
    bool same = state->last_s > 0 && p->slice == state->slice && strcmp(doing, state->doing) == 0;
    return same ? state->pause_s : 1;
}

static void note_line(struct progress *state, const struct whorl_progress *p, double pause_s) {
    state->pause_s = 2 * pause_s;
    state->slice = p->slice;
    snprintf(state->doing, sizeof state->doing, "%s", p->doing ? p->doing : "");
}

bool progress_step(void *user, const struct whorl_progress *p) {
    struct progress *state = user;
    if (p->warning) {
        progress_end(state);
        cli_hint("%s", p->warning);
    }
    bool stops = guard_stopped();
    if (p->slice > 0) guard_stage(state->saves && (stops || is_over()) ? GUARD_SAVING : GUARD_IN_SLICES);
    if (stops) return false;
    if (state->is_resumed && state->before_s == 0 &&
        p->slice > 0) { // what another process did says nothing about this one's pace
        state->before = p->fraction;
        state->before_s = p->elapsed_s;
    }
    if (state->quiet || p->elapsed_s < 0.5 || p->fraction >= 1) return true;
    bool terminal = cli_is_terminal(stderr);
    double pause_s = terminal ? 0.1 : line_pause(state, p);
    if (p->elapsed_s - state->last_s < pause_s) return true;
    state->last_s = p->elapsed_s;
    note_line(state, p, pause_s);
    if (p->doing) {
        fprintf(stderr, terminal ? "\r\033[K%s  %s  %.1f s" : "whorl: %s: %s, %.1f s\n", state->name, p->doing,
                p->elapsed_s);
        state->drawn = terminal;
    } else if (terminal) {
        (p->slice > 0 && p->fraction == 0 ? draw_count : draw)(state, p);
        state->drawn = true;
    } else if (p->slice == 0) {
        fprintf(stderr, "whorl: %s: no slice is done yet, %.1f s\n", state->name, p->elapsed_s);
    } else if (p->fraction == 0) {
        char count[32], time[32];
        fprintf(stderr, "whorl: %s: %s dispatch%s after slice %llu, %s\n", state->name,
                cli_thousands(p->dispatches, count), p->dispatches == 1 ? "" : "es", (unsigned long long)p->slice,
                cli_duration(p->elapsed_s * 1e3, time));
    } else {
        char left[32];
        fprintf(stderr, "whorl: %s: %.0f%% after slice %llu, %.1f s, %s left\n", state->name, p->fraction * 100,
                (unsigned long long)p->slice, p->elapsed_s, remaining(state, p, left));
    }
    return true;
}

void progress_end(struct progress *state) {
    if (state->drawn) fputs("\r\033[K", stderr);
    state->drawn = false;
}

void progress_print(void *user, const char *text, size_t size_bytes) {
    progress_end(user);
    fwrite(text, 1, size_bytes, stdout);
    (void)cli_push(); // the process may be ended at any moment
}
