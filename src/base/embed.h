// Text files that the build puts into the library (tools/embed.c writes the arrays into build/gen/): the WGSL preludes
// and probes, and the C headers of the front-end. Each text ends with a NUL that `size` does not count.
#ifndef WHORL_BASE_EMBED_H
#define WHORL_BASE_EMBED_H

struct base_embedded {
    const char *name; // the file's name without its folder: "math.h", "rng.wgsl"
    const char *text;
    unsigned size; // bytes
};

// The file of that name; NULL: there is none.
const struct base_embedded *base_embedded_find(const struct base_embedded *list, unsigned count, const char *name);

// src/front/include/*.h, sorted by name.
extern const struct base_embedded front_headers[];
extern const unsigned front_headers_count;

// src/wgsl/prelude/*.wgsl, sorted by name.
extern const struct base_embedded wgsl_preludes[];
extern const unsigned wgsl_preludes_count;

// src/offload/region_abi.h alone: what `whorl cc` puts before the files that it rewrites.
extern const struct base_embedded cc_texts[];
extern const unsigned cc_texts_count;

// src/wgsl/probe/*.wgsl, sorted by name.
extern const struct base_embedded wgsl_probes[];
extern const unsigned wgsl_probes_count;

#endif
