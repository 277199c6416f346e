// Accesses to protected pages. The handler of SIGSEGV does nothing but ask a thread of the runtime, and waits: that
// thread has a stack of its own, and may use the device.
//
// A fault inside of the runtime, or outside of all places, is the program's own affair: the handler that was there
// before gets it.
#define _GNU_SOURCE // REG_ERR
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "offload/place.h"

struct request {
    const char *at;
    size_t bytes;
    enum offload_use use;
    bool is_ours, changed;
    sem_t done;
};
static int requests[2]; // a pipe of pointers to them
static struct sigaction before;

static void *serve(void *unused) {
    struct request *r;
    (void)unused;
    for (;;) {
        ssize_t got = read(requests[0], &r, sizeof r);
        if (got < 0 && errno == EINTR) continue;
        if (got != (ssize_t)sizeof r) return NULL;
        offload_enter();
        r->is_ours = offload_places_use(r->at, r->bytes, r->use, &r->changed);
        offload_leave();
        sem_post(&r->done);
    }
}

// Also in a handler: no lock is taken, nothing is allocated.
static bool ask(struct request *r) {
    sem_init(&r->done, 0, 0);
    const struct request *const p = r;
    while (write(requests[1], &p, sizeof p) < 0)
        if (errno != EINTR) return false;
    while (sem_wait(&r->done) != 0)
        ;
    return r->is_ours;
}

void offload_touch(const void *at, size_t bytes, enum offload_use use) {
    if (offload_is_inside() || !offload_is_in_place(at, bytes)) return;
    int error = errno;
    struct request r = {.at = at, .bytes = bytes, .use = use};
    (void)ask(&r);
    errno = error;
}

static enum offload_use use_of(const void *context) {
#if defined __x86_64__
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2 ? OFFLOAD_WRITES : OFFLOAD_READS;
#else
    (void)context;
    return OFFLOAD_USES;
#endif
}

static void pass_on(int signal, siginfo_t *info, void *context) {
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL); // the access is made again, and ends the process
    } else {
        before.sa_handler(signal);
    }
}

// Where pages of a place fault again and again although nothing is left to do, somebody else protected them.
static bool is_hopeless(const char *at, bool changed) {
    enum { TRIES = 1000 };
    static __thread const char *last;
    static __thread int tries;
    if (changed || at != last) tries = 0;
    last = at;
    return ++tries > TRIES;
}

static void on_fault(int signal, siginfo_t *info, void *context) {
    int error = errno;
    const char *at = info->si_addr;
    bool done = false;
    if (!offload_is_inside() && info->si_code > 0 && offload_is_in_place(at, 1)) {
        struct request r = {.at = at, .bytes = 1, .use = use_of(context)};
        (void)ask(&r); // if it is no place any more, the access is made again, and comes here again if it has to
        done = !is_hopeless(at, r.changed);
    }
    if (!done) pass_on(signal, info, context);
    errno = error;
}

static bool start_thread(void) {
    static bool tried, there;
    if (tried) return there;
    tried = true;
    sigset_t all, old;
    pthread_t thread;
    if (pipe(requests) != 0) return false;
    sigfillset(&all); // signals of the program are for its own threads
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    there = pthread_create(&thread, NULL, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (there) pthread_detach(thread);
    return there;
}

bool offload_faults_begin(void) {
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, old;
    if (!start_thread()) return false;
    sigfillset(&ours.sa_mask); // a handler of the program that touches a place would fault with SIGSEGV blocked
    if (sigaction(SIGSEGV, NULL, &old) != 0) return false;
    if (old.sa_flags & SA_SIGINFO && old.sa_sigaction == on_fault) return true;
    before = old;
    return sigaction(SIGSEGV, &ours, NULL) == 0;
}
