// What members.c and each.c share: uses of a struct, or of structs in an array, of which the program has the members.
// Internal to this room.
#ifndef WHORL_CC_MEMBERS_H
#define WHORL_CC_MEMBERS_H

#include "cc/region.h"

// Another name of a struct in the region: `struct layer *own = &net->layers[l];`, or a copy, `own = net->layers[l];`,
// of which the region reads nothing but members that it leaves alone everywhere.
struct cc_alias {
    const struct cc_name *name;
    const char *text, *said; // of what it leads to
    bool is_address, is_copy, is_pointed;
    const char *index, *bytes;    // each.c: a variable of the program: which struct of the array it is; else NULL
    const char *path, *path_said; // each.c: from there to the struct in it that this is a name of; NULL: itself
};
struct cc_uses { // of one base
    struct cc_region *region;
    const struct cc_name *base;
    const struct cc_node *within; // the region, or the body of a function that it calls
    struct cc_alias *aliases;
    uint32_t count, cap;
    bool copied, all, pays;
    bool each_only; // each index is one of each.c
};
// What the tokens of a use are, from a base or from another name on.
struct cc_way {
    const char *text, *said, *step; // `step`: from there to a member
    bool is_pointed;                // each.c: of structs that the pointers of an array lead to
};

struct cc_name *cc_member_variable(struct cc_region *r, const char *text, const char *said,
                                   const struct cc_name *member);
struct cc_member_use *cc_replace(struct cc_region *r, uint32_t from, uint32_t to, struct cc_name *name,
                                 const char *text);
void cc_note_member(const struct cc_source *s, struct cc_name *name, const struct cc_name *member, bool in_copy,
                    uint32_t from, uint32_t end); // of the tokens of a use
void cc_note_pointers(struct cc_region *r, const char *said);
bool cc_is_member_named(struct cc_source *s, uint32_t body, const char *text, struct cc_name *out);

// ---- each.c ---------------------------------------------------------------------------------------------------------

// The tokens from `from` to `end` are of `type`, an array or pointer, and an index follows that is not the same for the
// whole region; a use of such a struct's other name. False: they are not, or it cannot be.
bool cc_take_each(struct cc_uses *u, struct cc_way way, uint32_t from, uint32_t end, const struct cc_name *type);
bool cc_take_each_alias(struct cc_uses *u, const struct cc_alias *alias, uint32_t at);
// `own = &list[i]`, `own = list + i`, `own = &list[i].grid` (`behind`: the token behind it, else 0): the name, a
// variable of the program for the index, the tokens of the statement and behind the index; `text` is before the index.
struct cc_each_alias {
    const struct cc_name *name;
    const char *index, *text;
    uint32_t from, to, close;
    bool is_copy;
};
bool cc_find_each_alias(struct cc_source *s, const struct cc_node *within, uint32_t from, uint32_t open,
                        uint32_t behind, bool copies, bool is_pointed, struct cc_each_alias *out);
// From a struct whose tokens end at `end` to a member: the token behind it; 0: to none.
uint32_t cc_follow_members(struct cc_source *s, struct cc_name *io_now, uint32_t end);
// Whether the program can have a member of all structs as an array; that array, `each` being the first struct; whether
// a use of the member, as tokens, leaves a pointer alone.
bool cc_can_be_field(struct cc_source *s, const struct cc_name *member);
struct cc_name cc_field_of(const struct cc_name *member, const char *each);
bool cc_is_field_kept(const struct cc_source *s, const struct cc_name *member, uint32_t from, uint32_t end);
// C text: the bytes of the base, if it is an array of known size and `type` is of its name alone, else NULL; and what
// is left of them from a member of the first struct on.
const char *cc_bytes_of_fields(const struct cc_uses *u, const struct cc_name *type);
const char *cc_bytes_from(struct cc_source *s, const char *bytes, const char *each, const char *member);

#endif
