// The tokens that a model found likeliest in one place.
#ifndef WHORL_SERVE_LIKELIEST_H
#define WHORL_SERVE_LIKELIEST_H

#include <stdint.h>

enum { LIKELIEST_MOST = 20 };
struct likely_token {
    uint32_t id;
    float likely; // logarithm of its share
};

// Fills out[0 .. count) in descending order, of equal ones the lower id first; count <= vocab, LIKELIEST_MOST. logits:
// [vocab]; one that is no number is none of them. Returns how many there are.
uint32_t likeliest_find(const float *logits, uint32_t vocab, uint32_t count, struct likely_token *out);

#endif
