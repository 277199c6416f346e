// Arrays of structs that mix doubles with other types, whose doubles are floats on the device: word by word, as the
// table of region_abi.h says.
#include <string.h>

#include "offload/offload.h"

void offload_mixed_there(const unsigned *layout, unsigned *to, const char *from, size_t count) {
    const unsigned bytes = layout[0], words = layout[1], *where = layout + 2;
    for (size_t k = 0; k < count; k++, from += bytes, to += words)
        for (unsigned w = 0; w < words; w++) {
            double value;
            const char *at = from + where[w] / 2;
            if (where[w] == WHORL_CC_PADDING) {
                to[w] = 0;
            } else if (where[w] == WHORL_CC_DOUBLE(where[w] / 2)) {
                memcpy(&value, at, sizeof value);
                memcpy(&to[w], &(float){(float)value}, sizeof to[w]);
            } else {
                memcpy(&to[w], at, sizeof to[w]);
            }
        }
}

// Words that the device changed. `sent`: as they went there.
void offload_mixed_back(const unsigned *layout, char *to, const unsigned *from, const unsigned *sent, size_t count) {
    const unsigned bytes = layout[0], words = layout[1], *where = layout + 2;
    for (size_t k = 0; k < count; k++, to += bytes, from += words, sent += words)
        for (unsigned w = 0; w < words; w++) {
            float value;
            if (from[w] == sent[w] || where[w] == WHORL_CC_PADDING) continue;
            memcpy(&value, &from[w], sizeof value);
            if (where[w] == WHORL_CC_DOUBLE(where[w] / 2))
                memcpy(to + where[w] / 2, &(double){(double)value}, sizeof(double));
            else
                memcpy(to + where[w] / 2, &from[w], sizeof from[w]);
        }
}
