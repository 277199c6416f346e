// What "equal" means for a program's results: the text of `// check: [ARRAY] RULE`.
//
//   exact        the same numbers (0 and -0 are the same)
//   abs X        every element within X
//   rel X        every element within X times the reference's magnitude. Devices may take a float below FLT_MIN for 0,
//                so it counts as the number from -FLT_MIN to FLT_MIN that is nearest to the other side's
//   near X       every element within X times the sum of the reference's magnitude and a tenth of the largest finite
//                one of the array (base/near.h): its scaled difference
//   rank>=R      Spearman's rank correlation of at least R, ties sharing their mean rank (of all elements of the array)
//   moments X    mean and standard deviation within X times the reference's standard deviation
//
// NaN in the same place of both is equal under every rule, and counted; rank and moments are of the other elements. NaN
// on one side is wrong. An infinity equals the same infinity and is far from all else; moments leave it out where both
// have it.
//
// Behind exact, abs, rel and near may stand `except P%`: up to that share of the elements may be further off (a chaotic
// simulation's few). A rule that ends with `teacher` is for the single steps that follow the run (teacher.h), the
// others for the run as a whole.
//
// Without ARRAY a rule is for every output that no other line names; several lines for one array must all hold. An
// output without a rule: integers exact, floats near 1e-4 (of f16 near 1e-3), in a struct of both each by its own.
#ifndef WHORL_CLI_VERDICT_H
#define WHORL_CLI_VERDICT_H

#include "base/base.h"

enum check_kind { CHECK_EXACT, CHECK_ABS, CHECK_REL, CHECK_NEAR, CHECK_RANK, CHECK_MOMENTS };

struct check_rule {
    char array[64]; // "": every array that has no rule of its own
    enum check_kind kind;
    double bound;
    double except;                                       // share of the elements that may miss the bound
    bool teacher;                                        // of the steps after the run
    enum { CHECK_ALL, CHECK_INTEGERS, CHECK_FLOATS } of; // words of structs of mixed types: a text's rule is of all
};

struct check_verdict {
    bool holds;
    double measured;              // largest error, or the correlation
    double apart, near_miss;      // largest difference, as `abs` and as `near` measure it (exact, abs, rel, near)
    uint64_t differing;           // elements over the bound (exact, abs, rel, near)
    uint64_t first, worst;        // their indices
    double got, want;             // at `worst`
    uint64_t got_bits, want_bits; // the same where it is an integer of 64 bits
    uint64_t both_nan, one_nan;   // elements
};

enum whorl_status check_parse(const char *text, struct check_rule *out, struct whorl_error *err);
// "rel 1e-05"; in `out`, cut to `size`.
void check_describe(const struct check_rule *rule, char *out, size_t size);

// Compares the elements of an array. False only when out of memory.
bool check_compare(const struct check_rule *rule, const struct whorl_param *param, const void *got, const void *want,
                   struct check_verdict *out);
// The verdict as one line of text: "ok (abs 1e-05; largest difference 2e-7 at [3]: 1, the CPU has 1.0000002)" or "wrong
// ...", with the indices in the array's shape.
void check_say(const struct check_rule *rule, const struct check_verdict *verdict, const struct whorl_param *param,
               char *out, size_t size);

// Of a verdict that does not hold: "u near 0.00031", behind `// check:` the rule that would accept this result, into
// `out`. False: there is none, or integers are not the same that `exact` is asked of.
bool check_accepting(const struct check_rule *rule, const struct check_verdict *verdict,
                     const struct whorl_param *param, char *out, size_t size);

// Applies the rules to all outputs of the program; say(user, param, rule, verdict) for each comparison. *out_holds: all
// of them. Fails with WHORL_SOURCE where a rule names no output, WHORL_MEMORY.
enum whorl_status check_outputs(const struct check_rule *rules, size_t rule_count, const whorl_program *program,
                                void *const *got, void *const *want,
                                void (*say)(void *user, const struct whorl_param *param, const struct check_rule *rule,
                                            const struct check_verdict *verdict),
                                void *user, bool *out_holds, struct whorl_error *err);

// Elements of the array, and the type of element i (a word of a struct has its field's) and where it is.
size_t check_count(const struct whorl_param *param);
enum whorl_dtype check_type(const struct whorl_param *param, size_t i);
const void *check_element(const struct whorl_param *param, const void *data, size_t i);
// A word of a struct that is no number of its own: padding, which C leaves open, and the second one of a double.
bool check_is_nothing(const struct whorl_param *param, size_t i);

#endif
