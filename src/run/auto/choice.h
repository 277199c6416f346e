// What `auto` takes: one dispatch (`single`), or a dispatch for each of its parts.
//
// Both are right; which is faster depends on the device, the program and its sizes, and only a clock knows. But float
// results of the two may differ in their last bits on a device whose compiler contracts a * b + c here and not there,
// and a clock must not decide about bits. So nothing is measured behind the user's back:
//   - Where the user had it measured (whorl_tune, tune.c), the answer is kept, so that each run decides alike.
//   - Else it is predicted. On every GPU that was measured a barrier inside a dispatch costs less than a dispatch that
//     waits for the one before (1 us against 3 us on an H200). But inside of one dispatch, what workgroups share is
//     loaded past the nearest cache: the compiler counts how often an invocation waits for that, one load after the
//     other (plan_strategy.waits), and how much is loaded again (again_bytes). Where that is much, or the parts are
//     few dispatches anyway, the parts are taken.
//
// Integers that no float has had to do with (plan_array.exact) may not differ at all. Where they do, single is wrong:
// the parts are taken from then on, and whoever measured says so.
//
// "The parts" of a grid kernel are the tree that it falls back to, not the strategy `steps`, whose kernels differ a
// little. So a checkpoint fits both.
#ifndef WHORL_RUN_CHOICE_H
#define WHORL_RUN_CHOICE_H

#include "run/device/device.h"

enum run_choice_from {
    RUN_CHOICE_NONE,  // nothing was measured: predicted
    RUN_CHOICE_TUNED, // by whorl_tune
    RUN_CHOICE_WRONG, // single has other integers than its parts, where it may not: the parts, whatever the clock says
};
struct run_choice {
    enum run_choice_from from;
    bool parts;                 // else single
    uint32_t groups;            // workgroups of a grid kernel; 0: the device's own number
    double single_ns, parts_ns; // measured, of the same work; 0: not
};

// ---- choice.c -------------------------------------------------------------------------------------------------------
// True if there is anything to choose between.
bool run_choice_exists(const struct plan *plan);
// What is taken of a plan that nobody measured.
void run_choice_predict(bool is_software, const struct plan *plan, struct run_choice *out);
// The plan's name in the cache: kernels, trees, and sizes with these values of its scalars.
uint64_t run_choice_key(const struct plan *plan, const int64_t *values);
// What is known of the plan on this device.
void run_choice_find(struct whorl_device *device, const struct plan *plan, const int64_t *values,
                     struct run_choice *out);
// One line for people.
void run_choice_words(const struct plan *plan, const struct run_choice *choice, char *out, size_t size);
// The first whose interval reaches down to that of the fastest. So the order decides between those that cannot be told
// apart.
uint32_t run_choice_pick(const struct whorl_time *times, uint32_t count);

// The median of `count` >= 1 samples, which are sorted, with the narrowest interval of order statistics that holds it
// with 95%. With fewer than 6 samples it is their range, which holds it less often.
struct whorl_time run_median(double *samples, uint32_t count);

// ---- choice_cache.c -------------------------------------------------------------------------------------------------
// One file a device. It is read once a device object, written whole or not at all, ignored where it is damaged, and
// forgets the oldest beyond RUN_CHOICES.
enum { RUN_CHOICES = 512 };
struct run_choices {
    bool is_read;
    uint32_t count;
    uint64_t keys[RUN_CHOICES]; // the newest last
    struct run_choice items[RUN_CHOICES];
};
bool run_choices_load(struct whorl_device *device, uint64_t key, struct run_choice *out);
// False: it holds for this device object alone, since the file cannot be written.
bool run_choices_store(struct whorl_device *device, uint64_t key, const struct run_choice *choice);
void run_choices_forget(const struct whorl_device *device);
// The bytes of such a file for this device. False: damaged, another version's, another device's; *out is empty then.
bool run_choices_read(const struct whorl_device *device, const char *text, size_t size_bytes, struct run_choices *out);

#endif
