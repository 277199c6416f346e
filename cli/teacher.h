// `// check: ... teacher`: is every single step right? Programs that select or are chaotic go their own ways within a
// few steps, and their results after many can only be compared as samples of one process. From the same state, one step
// can be compared element by element. So the run goes on for TEACHER_STEPS steps, each on the GPU from its own state
// and on the CPU from the same one.
#ifndef WHORL_CLI_TEACHER_H
#define WHORL_CLI_TEACHER_H

#include "commands.h"

enum { TEACHER_STEPS = 3 };

// `results` are the arrays of job's run on `device`. An array of the first step begins with what the run's array of the
// same name and size holds. One whose size changes with the scalars of `// step:` is no state, and begins as in a run
// of its own.
// say(user, step, param, rule, verdict) for each comparison, step from 1; *out_holds: all of them. Without `teacher`
// rules nothing happens.
enum whorl_status teacher_check(const struct job *job, whorl_device *device, whorl_device *cpu, void *const *results,
                                void (*say)(void *user, int step, const struct whorl_param *param,
                                            const struct check_rule *rule, const struct check_verdict *verdict),
                                void *user, bool *out_holds, struct whorl_error *err);

#endif
