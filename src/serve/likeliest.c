#include <math.h>

#include "serve/likeliest.h"

uint32_t likeliest_find(const float *logits, uint32_t vocab, uint32_t count, struct likely_token *out) {
    uint32_t found = 0;
    double whole = 0;
    for (uint32_t id = 0; id < vocab; id++) {
        uint32_t at = found;
        if (isnan(logits[id])) continue;
        while (at > 0 && out[at - 1].likely < logits[id])
            at--;
        if (at == count) continue;
        found += found < count;
        for (uint32_t i = found - 1; i > at; i--)
            out[i] = out[i - 1];
        out[at] = (struct likely_token){id, logits[id]};
    }
    double top = found ? (double)out[0].likely : 0;
    for (uint32_t id = 0; id < vocab; id++)
        if (!isnan(logits[id])) whole += exp((double)logits[id] - top);
    for (uint32_t i = 0; i < found; i++)
        out[i].likely = (float)((double)out[i].likely - top - log(whole));
    return found;
}
