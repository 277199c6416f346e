// yyjson for the rooms that read JSON, with the library's two kinds of memory behind it.
#ifndef WHORL_JSON_H
#define WHORL_JSON_H

#include "base/base.h"
#include "yyjson.h"

// Memory of the arena: documents are never freed one by one, and running out of memory bails instead of returning NULL.
yyjson_alc base_json_arena(struct base_cx *cx);
// Memory of base_heap_alloc: the caller frees the document.
yyjson_alc base_json_heap(void);

#endif
