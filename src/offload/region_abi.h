// What a program built by `whorl cc` says to the runtime that is linked with it. The text between the two marks is
// also put before every file that `whorl cc` rewrites: plain C90, comments on lines of their own.
#ifndef WHORL_OFFLOAD_REGION_ABI_H
#define WHORL_OFFLOAD_REGION_ABI_H

// begin
// A parameter of a region's program, in its order.
struct whorl_cc_param {
    const char *name;
    // enum whorl_cc_kind
    unsigned kind;
    // a set of enum whorl_cc_flag
    unsigned flags;
    // Of structs that mix doubles with others, where doubles are floats on the device; else 0. The bytes of one, its
    // words on the device, and for each of these where it comes from: the byte in the struct times 2, and 1 more if it
    // is a double there; all ones: padding.
    const unsigned *layout;
};
// One region of a file. `state` belongs to the runtime.
struct whorl_cc_region {
    const char *file;
    int line;
    int param_count;
    const struct whorl_cc_param *params;
    const char *program;
    // the same with rows as places in one memory; 0: it has no such form
    const char *flat;
    // the whorl that built it: what runs need is looked for beside it
    const char *whorl;
    // 1: doubles are floats on the device; 2: pairs of floats
    int doubles;
    // around regions, each of which runs by itself where this does not: 1: a loop; 2: a block
    int is_loop;
    // 1: its threads are iterations on the device, which may be long ones; 2: and what they got of loops is open
    int by_threads;
    // why it is for the CPU now; 0: it is not
    const char *barred;
    void *state;
};
// What a call says of its parameters: a word of each, an array's address, an integer, or a number (of those that the
// runtime finds, WHORL_CC_OFFSET and WHORL_CC_WIDTH, nothing is said); behind all of these
// further ones of those that have them (enum whorl_cc_flag), in their order: of VARIES the two sizes, of VARIABLE the
// address of the variable that the value came from, if other pointers may lead there.
union whorl_cc_word {
    void *at;
    long long integer;
    double real;
};
// `sizes`: three of each parameter. Of an array the bytes that are known to be there (0: those of the allocation that
// it points into), the bytes of one element of the outermost dimension, and how many of them the declaration
// promises. Of others the bytes of the variable.
// Whether a call may come to anything: asked where much is done for it. Where not, the call says why.
extern int whorl_cc_wants(void) __attribute__((weak));
// Nobody has what the region reads, if `gone`: ends the program.
extern void whorl_cc_end(struct whorl_cc_region *region, int gone) __attribute__((weak));
// 0: the caller runs the region itself. 1: it is done. 2: the caller runs it, too, and then calls whorl_cc_leave.
extern int whorl_cc_enter(struct whorl_cc_region *region, const unsigned long long *sizes,
                          const union whorl_cc_word *words) __attribute__((weak));
// Can these bytes be read? Asked of structs that the region may not look at.
extern int whorl_cc_readable(const void *at, unsigned long long bytes) __attribute__((weak));
// Where an array of a function is, for as long as a call lasts that it is handed to, and that this is over.
extern void whorl_cc_hold(const volatile void *at, unsigned long long bytes, unsigned long long *mark)
    __attribute__((weak));
extern void whorl_cc_drop(unsigned long long *mark) __attribute__((weak));
extern void whorl_cc_leave(struct whorl_cc_region *region, const unsigned long long *sizes,
                           const union whorl_cc_word *words) __attribute__((weak));
// end

#define WHORL_CC_ENTRY "ccv_region" // the function of a region's program that runs

#define WHORL_CC_WORD(at) ((unsigned)(at)*2)
#define WHORL_CC_DOUBLE(at) ((unsigned)(at)*2 + 1)
#define WHORL_CC_PADDING (~0u)

enum whorl_cc_doubles { WHORL_CC_NO_DOUBLES, WHORL_CC_FLOATS, WHORL_CC_PAIRS };
enum whorl_cc_kind {
    WHORL_CC_INTEGER,
    WHORL_CC_REAL,
    WHORL_CC_ARRAY,
    WHORL_CC_OFFSET, // of the array before it: where in its memory the pointer points, in elements
    // of the array with ROWS of its name without "_1": elements of a row; of PLANES: rows of a plane, "_2" elements
    WHORL_CC_WIDTH,
    WHORL_CC_WHICH // an array of int: which pointer each pointer that changed is now, -1: none of them
};
// ROWS: of an array: `at` leads to pointers to its rows, and `bytes` are those of the pointers; `unit_bytes` is an
// element's size. PLANES: those are pointers to pointers to rows. SWAPS: of WHICH: no pointer ends where none of them
// began. VARIES: its sizes are known at the call only. VARIABLE: it is a copy. FIELDS: of an array: its elements, or
// with ROWS the pointers to its rows, are a member of each struct of an array; the third of its sizes is a struct's.
// COMPARED: with ROWS: the region may ask whether two of the pointers are the same, or one is NULL. STARTS: where rows
// of the array with ROWS before it begin, in elements, for the program `flat`. SECTION: the
// promise is a section of the region's own reduction, beyond which it uses no element. EXCHANGED: with ROWS: the region
// exchanges such tables, whose rows have one width, that of the WIDTH with this flag. EQUATED: the region may ask
// whether this pointer is another one with this flag. TAIL: the array in which a struct's memory goes on: no index
// goes below 0. POINTED: with FIELDS: `at` leads to pointers to the structs, and the third of its sizes is where in
// them the member is.
enum whorl_cc_flag {
    WHORL_CC_STRUCT = 1,
    WHORL_CC_CELL = 2,
    WHORL_CC_SWAPS = 4,
    WHORL_CC_ROWS = 8,
    WHORL_CC_PLANES = 16,
    WHORL_CC_VARIES = 32,
    WHORL_CC_VARIABLE = 64,
    WHORL_CC_FIELDS = 128,
    WHORL_CC_COMPARED = 256,
    WHORL_CC_STARTS = 512,
    WHORL_CC_SECTION = 1024,
    WHORL_CC_EXCHANGED = 2048,
    WHORL_CC_EQUATED = 4096,
    WHORL_CC_TAIL = 8192,
    WHORL_CC_POINTED = 16384
};

#endif
