// whorl_find_races: the program as lowered in the interpreter, with shadow memory.
#include <stdio.h>
#include <string.h>

#include "ir/ir.h"
#include "ir/shadow.h"
#include "plan/program.h"

enum whorl_status whorl_find_races(const whorl_program *program, void *const *arrays, const size_t *size_bytes,
                                   uint64_t *out_iterations, struct whorl_error *err) {
    if (!program || !program->unit || !arrays || !size_bytes)
        return base_set_error(err, WHORL_INVALID, "run", "no program with its C text, or no arrays");
    struct ir_races *races = base_heap_alloc(sizeof *races);
    if (!races) return base_set_error(err, WHORL_MEMORY, "run", "out of memory");
    memset(races, 0, sizeof *races);
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = size_bytes, .races = races};
    enum whorl_status status = ir_interpret(program->unit, &options, err);
    if (out_iterations) *out_iterations = races->iterations;
    if (races->count) { // what else ended the run may have come of them, or not: both are told
        bool ended = status != WHORL_OK;
        char why[512] = "";
        if (ended && err) snprintf(why, sizeof why, "%.500s\n", err->message);
        status = base_set_error(err, WHORL_SOURCE, "run", "%s\n%s%llu race%s in %llu iterations%s", races->text, why,
                                (unsigned long long)races->count, base_s(races->count),
                                (unsigned long long)races->iterations, ended ? ", up to that error" : "");
    }
    if (status == WHORL_OK) (void)base_set_error(err, WHORL_OK, "run", "%s", "");
    ir_races_deinit(races);
    base_heap_free(races);
    return status;
}
