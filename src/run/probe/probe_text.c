// The probes' kernels: src/wgsl/probe, put into the library by the build.
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "run/probe/probe.h"

const char *run_probe_file(const char *name) {
    const struct base_embedded *file = base_embedded_find(wgsl_probes, wgsl_probes_count, name);
    return file ? file->text : "";
}

size_t run_probe_part(char *out, size_t size, const char *name, const char *part, uint32_t n) {
    const char *text = run_probe_file(name);
    size_t at = 0, length = strlen(part);
    if (length > 0) { // the part begins behind its line
        while ((text = strstr(text, "//: ")) && (strncmp(text + 4, part, length) != 0 || text[4 + length] != '\n'))
            text += 4;
        text = text ? text + 4 + length + 1 : "";
    }
    const char *end = strstr(text, "//: ");
    if (!end) end = text + strlen(text);
    for (const char *c = text; c < end && at + 1 < size; c++) {
        if (c[0] == '$' && c[1] == 'n')
            at += (size_t)snprintf(out + at, size - at, "%u", (unsigned)n), c++;
        else if (c[0] == '$' && c[1] == 'c')
            out[at++] = "xyzw"[n % 4], c++;
        else
            out[at++] = *c;
    }
    if (size > 0) out[at < size ? at : size - 1] = 0;
    return at;
}
