// Which loops lanes share, for people: what lanes do not share each of them makes.
#include "pass/cost.h"
#include "pass/passes.h"

void pass_say_loops(struct pass_cx *p, const char *pass, ir_stmt parfor, const ir_stmt *loops, uint32_t count) {
    struct ir_unit *u = p->u;
    uint32_t lines[PASS_SAY_LINES], said = 0, more = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t line = u->cx->locs[u->stmts[loops[i]].loc].line, k = 0;
        while (k < said && lines[k] != line)
            k++;
        if (k < said) continue; // several copies of one loop
        if (said < PASS_SAY_LINES)
            lines[said++] = line;
        else
            more++;
    }
    base_text_format(p->explain, "%s: those of the loop at line %u share the loop%s at line%s", pass,
                     u->cx->locs[u->stmts[parfor].loc].line, base_s(said), base_s(said));
    for (uint32_t k = 0; k < said; k++)
        base_text_format(p->explain, "%s %u", k == 0 ? "" : k + 1 == said && !more ? " and" : ",", lines[k]);
    if (more) base_text_format(p->explain, " and %u more", more);
    base_text_format(p->explain, "\n");
}
