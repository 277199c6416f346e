// Stencils: parallel loops over a plane whose iterations read neighbours of their own element. pass_tile decides which
// of them are run in tiles, the emitter prints those; both have from here what such a loop reads.
#ifndef WHORL_IR_STENCIL_H
#define WHORL_IR_STENCIL_H

#include "ir/ir.h"

enum { IR_TILE_PLANES = 4, IR_TILE_REACH = 2, IR_TILE_SPAN = 2 * IR_TILE_REACH + 1 };

// What is read of an array at [constants ...][i + c][j + d], |c| and |d| up to IR_TILE_REACH.
struct ir_plane {
    ir_array array;
    uint32_t lead[IR_MAX_DIMS];             // the constants, one for each dimension before the last two
    bool cells[IR_TILE_SPAN][IR_TILE_SPAN]; // [c + REACH][d + REACH]
    uint32_t count;                         // of cells
    int32_t low, high;                      // range of c
    int32_t side_low, side_high;            // of the c where d is not 0; low > high: nowhere
    int32_t left, right;                    // columns beyond the own one
};
struct ir_tile {
    ir_var i, j;
    ir_expr lo[2], hi[2]; // constants
    uint32_t count;
    struct ir_plane planes[IR_TILE_PLANES]; // with two cells or more
};

// False: the loop is no stencil.
bool ir_tile_of(const struct ir_unit *u, ir_stmt parfor, struct ir_tile *out);
// The plane that the load reads, at (*c, *d) from the iteration's own element; NULL: none of them.
const struct ir_plane *ir_tile_plane(const struct ir_unit *u, const struct ir_tile *tile, ir_array array,
                                     const ir_expr *indices, uint32_t n, int32_t *c, int32_t *d);

#endif
