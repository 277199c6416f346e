// Does the device round each sum and product of floats, and once? Doubles as pairs of floats (docs/double.md) stand on
// the errors of both, which a compiler that reorders or contracts changes. Asked once of a device, and only by programs
// with such pairs: the functions are those of their kernels.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "run/probe/probe.h"

enum { PAIRS = 4096, PAIRS_TEXT = 8 << 10 };

bool run_has_pairs(const struct plan *plan) {
    for (uint32_t k = 0; k < plan->kernel_count; k++)
        if (strstr(plan->kernels[k].wgsl, "fn whorl_hold(")) return true;
    return false;
}

// Random significands; exponents that cancel, that are near, and that are far from each other.
static void ask(float (*data)[4]) {
    uint32_t state = 1;
    for (uint32_t i = 0; i < PAIRS; i++) {
        for (int k = 0; k < 2; k++) {
            state = state * 747796405u + 2891336453u;
            uint32_t exponent = i % 3 == 0 ? 127 : i % 3 == 1 ? 120 + state % 16 : 107 + state % 41;
            data[i][k] = base_bits_float((state & 0x80000000u) | exponent << 23 | state >> 9);
            data[i][k + 2] = 0;
        }
    }
}

// How many elements are wrong. Only bits count: what is exact has one form, but for the sign of a zero.
static uint32_t judge(float (*asked)[4], float (*got)[4]) {
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        float a = asked[i][0], b = asked[i][1], sum = a + b, product = a * b;
        // the larger one first: what is taken from it is exact
        float large = fabsf(a) < fabsf(b) ? b : a, small = fabsf(a) < fabsf(b) ? a : b;
        float sum_error = small - (sum - large), product_error = (float)((double)a * (double)b - (double)product);
        wrong += got[i][0] != sum || got[i][1] != sum_error || got[i][2] != product || got[i][3] != product_error;
    }
    return wrong;
}

static enum whorl_status run_text(struct whorl_device *device, const char *text, uint32_t *out_wrong,
                                  struct whorl_error *err) {
    struct probe_plan plan;
    struct whorl_session *s = NULL;
    const size_t size_bytes = sizeof(float[PAIRS][4]);
    double seconds;
    float(*asked)[4] = base_heap_alloc(2 * size_bytes), (*got)[4] = asked + PAIRS;
    if (!asked) return base_set_error(err, WHORL_MEMORY, "device", "out of memory for the probe");
    ask(asked);
    run_probe_plan(&plan, text, (int64_t)size_bytes);
    enum whorl_status status = run_probe_open(device, &plan, &s, err);
    if (status == WHORL_OK) {
        s->policy = (struct run_policy){.slice_ms = 1000, .shrink = 1};
        status = run_array_write(s, &s->plan->arrays[0], asked, size_bytes, err);
        if (status == WHORL_OK) status = run_probe_time(s, 1, 0, 0, PAIRS, 1, 1, &seconds, err);
        if (status == WHORL_OK) status = run_array_read(s, &s->plan->arrays[0], got, size_bytes, err);
        run_session_drop(s);
    }
    if (status == WHORL_OK) *out_wrong = judge(asked, got);
    base_heap_free(asked);
    return status;
}

static enum whorl_status refuse(uint32_t wrong, struct whorl_error *err) {
    return base_set_error(err, WHORL_DEVICE, "device",
                          "this device's compiler changes how sums and products of floats are rounded (%u of %d probes "
                          "are wrong), so doubles as pairs of floats have no digits to gain: run on the CPU (--device "
                          "cpu), or compile with -fdouble=float",
                          wrong, PAIRS);
}

enum whorl_status run_probe_pairs(struct whorl_device *device, struct whorl_error *err) {
    char text[PAIRS_TEXT];
    uint32_t wrong = 0;
    if (device->pairs_right) return WHORL_OK;
    const struct base_embedded *functions = base_embedded_find(wgsl_preludes, wgsl_preludes_count, "pair.wgsl");
    int used = snprintf(text, sizeof text, "%s", functions ? functions->text : "");
    run_probe_part(text + used, sizeof text - (size_t)used, "pairs.wgsl", "", 0);
    enum whorl_status status = run_text(device, text, &wrong, err);
    if (status == WHORL_OK && wrong) return refuse(wrong, err);
    device->pairs_right = status == WHORL_OK;
    return status;
}
