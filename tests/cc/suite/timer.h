#ifndef TIMER_H
#define TIMER_H
#include <stddef.h>
#define VALUE float
#define VALUE_FORMAT "%0.2f "
#define MATRIX(name, rows, columns) VALUE(*name)[rows][columns] = get_memory((size_t)(rows) * (columns), sizeof(VALUE))
#define ELEMENTS(name) (*name)
#define KEEP(code) \
    if (argc > 42 && argv[0][0] == 0) code
void *get_memory(size_t count, size_t size);
void start_timer(void);
void stop_timer(void);
#endif
