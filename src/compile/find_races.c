// whorl_find_races: the program as lowered in the interpreter, with shadow memory.
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
    if (races->count) // also where something else ended the run: it may have come of them
        status = base_set_error(err, WHORL_SOURCE, "run", "%s\n%llu race%s in %llu iterations", races->text,
                                (unsigned long long)races->count, races->count == 1 ? "" : "s",
                                (unsigned long long)races->iterations);
    ir_races_deinit(races);
    base_heap_free(races);
    return status;
}
