// JSON of models: parsed only after a scan has shown that it is neither too deep nor too many values for its memory to
// stay small, and refused where a key stands twice in one object (readers would differ in which one they take).
#ifndef WHORL_MODEL_JSON_CHECKED_H
#define WHORL_MODEL_JSON_CHECKED_H

#include "model/file/work.h"

enum { MODEL_JSON_DEPTH = 64, MODEL_JSON_BYTES = 64 << 20 };

// The text is copied where it is not `own`; own text has room for 4 more bytes and is changed by the parser, so it
// must live as long as the document. The document belongs to the work until model_json_drop, or the work's end.
yyjson_val *model_json_parse(struct model_work *w, const char *text, size_t size_bytes);
yyjson_val *model_json_parse_own(struct model_work *w, char *text, size_t size_bytes);
// The file at `path`, which may have MODEL_JSON_BYTES; its text is memory of the arena. *out_missing (may be NULL:
// then that is refused): there is no such file.
yyjson_val *model_json_read(struct model_work *w, const char *path, bool *out_missing);
void model_json_drop(struct model_work *w);

// NULL where the key is missing or null.
yyjson_val *model_json_get(yyjson_val *object, const char *key);
// A copy in the arena of a string without NUL; `what` names it in the error.
const char *model_json_text(struct model_work *w, yyjson_val *value, const char *what);
// Unsigned integers up to max; a missing key gives `otherwise`.
uint64_t model_json_uint(struct model_work *w, yyjson_val *object, const char *key, uint64_t max, uint64_t otherwise);
double model_json_real(struct model_work *w, yyjson_val *object, const char *key, double otherwise);
bool model_json_bool(struct model_work *w, yyjson_val *object, const char *key, bool otherwise);

#endif
