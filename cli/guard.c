// Why a second process. A command can be in code that nobody can interrupt: a driver's compiler, a kernel, a loop of
// the user's program as native code, a long walk of the compiler itself. Threads in there cannot be ended, and what
// falls over there takes its process along. So the work is done in a child, the *worker*, and this process, which loads
// no driver and runs nobody's code, only waits for it: it keeps the time, hears the signals, ends the worker where it
// does not end by itself, and says in one line what happened. A driver that crashes or takes memory without end costs
// the worker; the command starts again in the way that the worker named, `steps` or the CPU, since results are written
// only at the end. So it does where a driver does not come to an end with a kernel: some make one at a time, and go on
// with that one for as long as their process lives.
//
// The worker is a process group of its own, so that the terminal's signals reach this process alone and the C compiler
// that it may have started ends with it; it ends its group when this process is killed. They share one page of memory.
// A fork of a process that has loaded nothing yet takes a fraction of a millisecond.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"

// A driver that takes more memory than this for kernels of some kilobytes will not come to an end. On a small machine
// the limit is half of its memory.
static const double most_driver_bytes = 4e9, copies_of_buffers = 4;
// How long a worker may go on after it should have ended: as a rule; while it writes a file; while it cleans up; and
// that when it was asked to end.
static const double grace_s = 1.4, saving_s = 60, cleaning_s = 10, hurried_s = 0.4;

struct page {
    atomic_int stops; // signals that asked to end
    atomic_int stage, instead, way;
    atomic_bool begins_anew; // the worker ended for that
    char why[256];           // and said this first
    atomic_int code;         // -1: not done
    _Atomic double buffer_bytes;
    double start_s, max_s;
};
static struct page alone = {.code = -1}, *page = &alone; // alone: no worker
static int lines[2] = {-1, -1};                          // a pipe: what is typed, for a worker that asks for it

// ---- the worker's side ----------------------------------------------------------------------------------------------

void guard_stage(enum guard_stage stage) { atomic_store(&page->stage, (int)stage); }
void guard_expect(double buffer_bytes) { atomic_store(&page->buffer_bytes, buffer_bytes); }
void guard_instead(enum guard_way way) { atomic_store(&page->instead, (int)way); }
enum guard_way guard_chosen(void) { return (enum guard_way)atomic_load(&page->way); }
bool guard_stopped(void) { return atomic_load(&page->stops) != 0; }

bool guard_forwards_terminal(void) { return lines[0] >= 0; }

double guard_left_s(void) {
    if (page->max_s == 0) return 0;
    double left = page->start_s + page->max_s - cli_now_s();
    return left > 1e-6 ? left : 1e-6;
}

bool guard_begins_anew(void) { return page != &alone && atomic_load(&page->instead) != GUARD_AS_ASKED; }
const char *guard_why(void) { return page->why; }

void guard_begin_anew(const char *why) {
    if (!guard_begins_anew()) return;
    snprintf(page->why, sizeof page->why, "%s", why);
    atomic_store(&page->begins_anew, true);
    _exit(CLI_NO_DEVICE); // nothing of a driver that is still at work can be cleaned up
}

void guard_done(enum cli_exit code) {
    (void)cli_push();
    atomic_store(&page->code, (int)code);
}

static void ignore(int number) { (void)number; }
static void end_group(int number) {
    (void)number;
    kill(0, SIGKILL);
}

static void catch_with(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

// A handler that does nothing, unlike SIG_IGN, is not inherited by the C compiler.
static void begin_worker(pid_t guard, const sigset_t *mask) {
    setpgid(0, 0);
    catch_with(SIGINT, ignore);
    catch_with(SIGTERM, ignore);
    catch_with(SIGHUP, ignore);
    catch_with(SIGXFSZ, ignore); // a file that may not become so large: the write fails, and says so
    signal(SIGTTOU, SIG_IGN);    // it may write to the terminal, though it is not in front
    catch_with(SIGUSR1, end_group);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (getppid() != guard) _exit(CLI_CANCELLED);
    if (lines[0] < 0) return;
    dup2(lines[0], STDIN_FILENO);
    close(lines[1]);
}

// ---- words ----------------------------------------------------------------------------------------------------------

static const char *const doing[GUARD_STAGES] = {
    [GUARD_COMPILING] = "the program was being compiled",
    [GUARD_OPENING] = "the device was being opened",
    [GUARD_READING] = "its inputs were being made",
    [GUARD_STARTING] = "its kernels were being made or its first slice ran",
    [GUARD_IN_SLICES] = "a slice ran that did not come to its end",
    [GUARD_SAVING] = "its checkpoint was being written",
    [GUARD_ON_CPU] = "the program ran on the CPU",
    [GUARD_RACING] = "the program ran in the interpreter",
    [GUARD_WRITING] = "results were being written",
    [GUARD_WAITING] = "the next line was waited for",
    [GUARD_SERVING] = "requests were served",
};

static void say_crash(enum guard_stage stage, int number) {
    static const char sanitize[] = "`cc -g -fsanitize=address,undefined -fopenmp` on the same file names the line";
    if (number == SIGKILL) {
        cli_error("the system ended it, most likely because memory ran out, while %s", doing[stage]);
    } else if (stage == GUARD_ON_CPU && (number == SIGFPE || number == SIGILL || number == SIGTRAP)) {
        // a compiler that knows the divisor puts an instruction there that no CPU has
        cli_error(number == SIGFPE ? "the program crashed on the CPU (an integer division by zero)"
                                   : "the program crashed on the CPU (it came to a point that has no meaning in C, as "
                                     "an integer division by a zero that the C compiler knows)");
        cli_hint("%s", sanitize);
    } else if (stage == GUARD_ON_CPU) {
        cli_error(number == SIGABRT
                      ? "the program damaged memory on the CPU; most likely an index is outside its array"
                      : "the program crashed on the CPU (a bad memory access); most likely an index is outside its "
                        "array");
        cli_hint("%s", sanitize);
    } else {
        bool is_driver = stage == GUARD_OPENING || stage == GUARD_STARTING || stage == GUARD_IN_SLICES;
        cli_error("%s crashed (%s) while %s", is_driver ? "the GPU's driver" : "whorl", strsignal(number),
                  doing[stage]);
        if (!is_driver) cli_hint("this is a bug in whorl: please report it with the C text");
    }
}

// ---- watching -------------------------------------------------------------------------------------------------------

struct watch {
    pid_t worker;
    const struct cli_options *options;
    double stopped_s;  // when the first signal came; 0: none did
    double done_s;     // when its code came; 0: not yet
    double base_bytes; // that it had when its kernels began to be made; 0: they have not
    int ended_by;      // the reason for which it was killed
};
enum { ENDED_NOT, ENDED_STOPPED, ENDED_TIME, ENDED_MEMORY, ENDED_DONE };

static void end_worker(struct watch *w, int why) {
    if (w->ended_by == ENDED_NOT) w->ended_by = why;
    kill(-w->worker, SIGKILL);
    kill(w->worker, SIGKILL); // before it had a group
}

// Resident bytes; 0 where the system does not say.
static double memory_of(pid_t process) {
    char path[64];
    unsigned long long all, resident = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%llu %llu", &all, &resident) != 2) resident = 0;
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double driver_bytes(void) {
    double half = 0.5 * (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return half > 0 && half < most_driver_bytes ? half : most_driver_bytes;
}

static bool runs_on_gpu(enum guard_stage stage) { return stage == GUARD_STARTING || stage == GUARD_IN_SLICES; }

// Ends the worker if there is a reason to, and it has had the time to end by itself.
static void look(struct watch *w) {
    enum guard_stage stage = (enum guard_stage)atomic_load(&page->stage);
    double now = cli_now_s();
    bool soft = runs_on_gpu(stage) || stage == GUARD_WRITING || stage == GUARD_SERVING;
    if (atomic_load(&page->code) >= 0 && w->done_s == 0) w->done_s = now;
    if (w->done_s > 0) {
        bool hurries = w->stopped_s > 0 || (page->max_s > 0 && now > page->start_s + page->max_s);
        if (now > w->done_s + (hurries ? hurried_s : cleaning_s)) end_worker(w, ENDED_DONE);
        return;
    }
    double patience = stage == GUARD_SAVING ? saving_s : stage == GUARD_SERVING ? cleaning_s : grace_s;
    if (w->stopped_s > 0 && now > w->stopped_s + (soft || stage == GUARD_SAVING ? patience : 0))
        end_worker(w, ENDED_STOPPED);
    if (page->max_s > 0 && now > page->start_s + page->max_s + (stage == GUARD_ON_CPU ? 0 : patience))
        end_worker(w, ENDED_TIME);
    if (!runs_on_gpu(stage)) {
        w->base_bytes = 0;
        return;
    }
    double bytes = memory_of(w->worker);
    if (w->base_bytes == 0) w->base_bytes = bytes;
    if (bytes > w->base_bytes + driver_bytes() + copies_of_buffers * atomic_load(&page->buffer_bytes))
        end_worker(w, ENDED_MEMORY);
}

static void hear(struct watch *w, int number) {
    enum guard_stage stage = (enum guard_stage)atomic_load(&page->stage);
    if (number == SIGCHLD || number <= 0) return;
    if (number == SIGTSTP) {
        kill(-w->worker, SIGSTOP);
        raise(SIGSTOP);
        kill(-w->worker, SIGCONT);
        return;
    }
    if (w->stopped_s > 0) {
        end_worker(w, ENDED_STOPPED);
        return;
    }
    w->stopped_s = cli_now_s();
    atomic_fetch_add(&page->stops, 1);
    if (runs_on_gpu(stage) || stage == GUARD_SAVING || stage == GUARD_SERVING)
        cli_hint("stopping after this slice; Ctrl-C again ends at once");
}

// Only this process is in front and may read from the terminal.
static void forward_lines(void) {
    struct pollfd from = {STDIN_FILENO, POLLIN, 0}, to = {lines[1], POLLOUT, 0};
    char text[PIPE_BUF];
    if (lines[1] < 0 || poll(&from, 1, 0) != 1 || poll(&to, 1, 0) != 1) return;
    ssize_t size = read(STDIN_FILENO, text, sizeof text);
    if (size < 0 && errno == EINTR) return;
    if (size > 0 && write(lines[1], text, (size_t)size) == size) return; // so much fits a pipe that has room
    close(lines[1]);
    lines[1] = -1;
}

// Until the worker has ended; its status.
static int watch(struct watch *w, const sigset_t *signals) {
    int status = 0;
    for (;;) {
        const struct timespec tick = {0, 50000000};
        hear(w, sigtimedwait(signals, NULL, &tick));
        forward_lines();
        pid_t ended = waitpid(w->worker, &status, WNOHANG | WUNTRACED);
        if (ended < 0 && errno != EINTR) return SIGKILL; // somebody else has its status: nothing is known of it
        if (ended == w->worker && !WIFSTOPPED(status)) return status;
        if (ended == w->worker && WSTOPSIG(status) == SIGTTIN) {
            cli_error("standard input is a terminal, from which nothing can be read here: name a file, or use a pipe");
            end_worker(w, ENDED_STOPPED);
        }
        look(w);
    }
}

// ---- the verdict ----------------------------------------------------------------------------------------------------

// `number`: the signal that ended the worker; 0: it ended by itself, to begin anew.
static bool goes_on(const struct watch *w, enum guard_stage stage, int number) {
    enum guard_way instead = (enum guard_way)atomic_load(&page->instead);
    bool fell_over = w->ended_by == ENDED_MEMORY || (w->ended_by == ENDED_NOT && number != SIGPIPE);
    if (instead == GUARD_AS_ASKED || !fell_over || w->stopped_s > 0) return false;
    if (number == 0)
        cli_hint("%s; %s goes on", page->why, instead == GUARD_CPU ? "the CPU" : "steps");
    else if (w->ended_by == ENDED_MEMORY)
        cli_hint("the GPU's driver took more than %.0f GB of memory for the program's kernels; %s goes on",
                 driver_bytes() * 1e-9, instead == GUARD_CPU ? "the CPU" : "steps");
    else
        cli_hint("the GPU's driver crashed (%s) while %s; %s goes on", strsignal(number), doing[stage],
                 instead == GUARD_CPU ? "the CPU" : "steps");
    atomic_store(&page->way, (int)instead);
    return true;
}

static enum cli_exit verdict(const struct watch *w, enum guard_stage stage, int status) {
    const char *kept =
        w->options->checkpoint || w->options->resume ? "the last checkpoint stays" : "nothing was written";
    int code = atomic_load(&page->code);
    if (WIFEXITED(status)) return (enum cli_exit)WEXITSTATUS(status);
    int number = WTERMSIG(status);
    if (code >= 0) return (enum cli_exit)code; // it fell over, or was ended, as it cleaned up
    if (number == SIGPIPE) {                   // its reader has gone: the command ends as it would without a guard
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    if (w->ended_by == ENDED_TIME) {
        cli_hint("stopped while %s: the time given to it, %g s, is over; %s", doing[stage], page->max_s, kept);
        return CLI_TIME_OVER;
    }
    if (w->ended_by == ENDED_MEMORY) {
        cli_error("the GPU's driver took more than %.0f GB of memory for the program's kernels", driver_bytes() * 1e-9);
        return CLI_NO_DEVICE;
    }
    if (w->ended_by == ENDED_STOPPED || number == SIGTERM || number == SIGINT || number == SIGHUP) {
        cli_hint("cancelled while %s; %s", doing[stage], kept);
        return CLI_CANCELLED;
    }
    say_crash(stage, number);
    return runs_on_gpu(stage) || stage == GUARD_OPENING ? CLI_NO_DEVICE : CLI_WRONG;
}

static void prepare_signals(sigset_t *out, sigset_t *out_before) {
    struct sigaction hangup; // a terminal that is gone; nohup asks not to mind
    bool minds = sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN;
    sigemptyset(out);
    sigaddset(out, SIGINT);
    sigaddset(out, SIGTERM);
    sigaddset(out, SIGTSTP);
    sigaddset(out, SIGCHLD);
    if (minds) sigaddset(out, SIGHUP);
    sigprocmask(SIG_BLOCK, out, out_before);
    catch_with(SIGINT, ignore); // else one that is ignored, as in a shell's background, would not be heard
    catch_with(SIGTERM, ignore);
    catch_with(SIGCHLD, ignore);
}

enum cli_exit guard_run(const struct cli_options *options, enum cli_exit (*work)(const struct cli_options *options)) {
    sigset_t signals, before;
    void *shared = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return work(options);
    page = shared;
    page->start_s = cli_now_s();
    page->max_s = options->max_time;
    prepare_signals(&signals, &before);
    if (options->chat && options->files.count < 2 && !options->prompt_file && isatty(STDIN_FILENO) && pipe(lines) != 0)
        lines[0] = lines[1] = -1;
    pid_t guard = getpid();
    for (;;) {
        struct watch w = {.options = options};
        atomic_store(&page->code, -1);
        guard_stage(GUARD_COMPILING);
        guard_instead(GUARD_AS_ASKED);
        (void)cli_push();
        w.worker = fork();
        if (w.worker == 0) {
            begin_worker(guard, &before);
            enum cli_exit code = cli_flush(work(options));
            guard_done(code);
            exit((int)code);
        }
        if (w.worker < 0) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            return work(options);
        }
        setpgid(w.worker, w.worker);
        int status = watch(&w, &signals);
        kill(-w.worker, SIGKILL); // what it may have left
        enum guard_stage stage = (enum guard_stage)atomic_load(&page->stage);
        bool fell = WIFSIGNALED(status) && atomic_load(&page->code) < 0;
        bool again = atomic_exchange(&page->begins_anew, false);
        if (!(fell || again) || !goes_on(&w, stage, fell ? WTERMSIG(status) : 0)) return verdict(&w, stage, status);
    }
}
