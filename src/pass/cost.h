// Every threshold of the passes: what is worth doing, how much text it may cost, how long a proof may take. What the
// target says of a device (whorl_target, which the probe fills in) is not here.
//
// Behind each stands where its value comes from: a file of bench/results in which others are slower; `law`, where
// another would be wrong or change nothing; or `guess`. tools/check_sources.sh looks whether it does.
#ifndef WHORL_PASS_COST_H
#define WHORL_PASS_COST_H

// ---- what is not known, and what is too much -----------------------------------------------------------------------
enum {
    PASS_UNKNOWN_TRIPS = 64,         // guess: passes of a loop whose bounds are not known
    PASS_GPU_INVOCATIONS = 4096,     // guess: what keeps less busy is a GPU in software, which pays most for barriers
    PASS_WORKGROUP = 256,            // law: invocations of a workgroup that runs a whole program
    PASS_MOST_INDEXED = 1 << 30,     // law: elements of an array, so that sums of two indices fit 32 bits
    PASS_MOST_LANED = 1 << 24,       // law: iterations; with the lanes of a workgroup each, 32 bits number them
    PASS_COPIES_MOST = 8,            // guess: arrays that one parallel loop copies
    PASS_TURN_BOXES = 12,            // guess: parts of an array that a step stores
    PASS_MOST_DOUBLED = 1 << 24,     // guess: elements of an array that gets a second one beside it
    PASS_BUTTERFLY_ROUNDS = 4,       // guess: of a loop around parallel loops that one iteration makes,
    PASS_BUTTERFLY_WORDS = 32,       // guess: ... with so many words in registers
    PASS_BUTTERFLY_STATEMENTS = 480, // guess: ... and so many statements
    PASS_BUTTERFLY_PLAYED = 1 << 16, // guess: ... iterations that are looked at
    PASS_BITS_RUNS = 256,            // guess: times that a loop is come to which is played with bits,
    PASS_BITS_PASSES = 1024,         // guess: ... passes that it makes then,
    PASS_BITS_VALUES = 64,           // guess: ... whole numbers of an iteration
    PASS_FOLLOW_WORK = 8,            // guess: operations of an element that is made again wherever it is read,
    PASS_FOLLOW_NODES = 24,          // guess: ... and its nodes
    PASS_DIMENSION_TERMS = 8,        // guess: of an index that may be a row's number and a place in it,
    PASS_DIMENSION_DEPTH = 12,       // guess: ... operations in one another there
    PASS_DIMENSION_TRIES = 12,       // guess: ... copies of the program in which parallel loops are split,
    PASS_DIMENSION_LENGTHS = 6,      // guess: ... lengths of rows that are tried,
    PASS_DIMENSION_SPLITS = 32,      // guess: ... parallel loops that are split for them,
    PASS_DIMENSION_SPLIT_ROWS = 8,   // guess: ... where rows are so long at least
    PASS_EVERY_CONDITIONS = 4,       // guess: of what a loop does in some passes alone,
    PASS_EVERY_PERIOD = 1 << 16,     // guess: ... passes after which they are what they were,
    PASS_EVERY_SPECIAL = 3,          // guess: ... and of these, those in which one of them holds
    PASS_DOUBLING_PASSES = 32,       // law: after so many a word that doubles has overflown, or is 0
    PASS_COVER_STORES = 8,           // guess: of one array in an iteration, which together may store all of it,
    PASS_COVER_TERMS = 8,            // guess: ... terms of the difference of two places,
    PASS_COVER_FACTORS = 4,          // guess: ... variables multiplied in one of them,
    PASS_COVER_DEEPEST = 12,         // guess: ... definitions that one is seen through
    PASS_KEEP_NAN_LOOPS = 32,     // guess: loops around what keeps the largest; those inside of more stay as they are
    PASS_HOLD_NAN_DEPTH = 12,     // guess: operations of an expression that hold_nan looks into
    PASS_HOLD_POWERS = 16,        // guess: powers of two in a row that hold_rounding looks behind
    PASS_EXPAND_LEAST = 32,       // guess: elements of a local array that lanes may share
    PASS_EXPAND_SHORT = 4,        // guess: ... where it is what keeps them from loops over others
    PASS_EXPAND_FEW = 2,          // guess: iterations, beside busy invocations
    PASS_EXPAND_BUSY = 4,         // guess: of busy invocations, those that keep a device at work
    PASS_EXPAND_OTHERS = 4,       // guess: the part of the time that lanes have to spare where they share no more loops
    PASS_NEAREST_WORDS = 128,     // guess: of the nearest cache, for each busy invocation
    PASS_EXPAND_SPILLED = 2,      // guess: so much slower are passes over local arrays that find no room there
    PASS_EXPAND_GAIN = 4,         // guess: ... beside which lanes have to be so much faster
    PASS_LOCAL_WORDS = 1024,      // guess: of local arrays, which each invocation of a GPU has room for
    PASS_MOST_SPREAD = 1 << 26,   // guess: words in which the parts of a loop hand on what each iteration has
    PASS_SUNK_DEFINITIONS = 48,   // guess: that every iteration makes anew for one value of the entry level
    PASS_BOUND_NODES = 16,        // guess: of a bound that is made of what its variables are
    PASS_MOST_PHASE_COPIES = 400, // guess: statements of a loop around parallel loops, unrolled
    PASS_MOST_SWAP_PERIOD = 6,    // guess: passes after which arrays that a loop swaps have their old names again
    PASS_MOST_SWAP_SELECTORS = 16, // guess: variables that say which
    PASS_MOST_JOINED_NODES = 40,   // guess: of two assignments to one variable that become one
    PASS_DEAD_ROUNDS = 32,         // guess: sweeps for dead code; each finds what only the one before it needed
    PASS_COMPOSE_OPERATIONS = 400, // guess: of an iteration that makes two steps
    PASS_COMPOSE_MORE = 24,        // guess: loads more than before, of all iterations, for each busy invocation
    PASS_COMPOSE_PLAYED = 1 << 16, // guess: values of an index that is looked at one by one
    PASS_BLOCK_STEPS = 8,          // guess: that a workgroup makes of a stencil by itself
    PASS_BLOCK_REACH = 2,          // guess: elements to a side that a step loads,
    PASS_BLOCK_HIGH = 64,          // guess: ... rows that a block loads
    PASS_BLOCK_PERCENT = 80,       // guess: of the time without such blocks, at most, so that they are made
    // In operations that half of the busy invocations make at once, for experiments-nvidia-h100-2026-11-26-blocks.txt:
    PASS_BLOCK_SHARE = 2,        // guess: ... so many workgroups are as fast as one by itself
    PASS_BLOCK_EXCHANGE = 700,   // guess: an exchange of the grid,
    PASS_BLOCK_START = 350,      // guess: ... what a block takes longer before its first step,
    PASS_BLOCK_ACCESS = 24,      // guess: ... an access of each invocation,
    PASS_BLOCK_SIDE = 6,         // guess: ... a value of another lane
    PASS_BLOCK_STATEMENTS = 480, // guess: of a column's steps
    PASS_PROMOTE_BUDGETS = 4,    // guess: register budgets that the elements of one array may take
    PASS_SINGLE_MOST = 4,        // guess: elements by themselves, of an array that is not the iteration's own
    PASS_SINGLE_ACCESSES = 64,   // guess: to such an array, which are compared in pairs
    PASS_SINGLE_BOUNDS = 8,      // guess: counters that stand in each other's bounds
    PASS_MOST_PROMOTED = 256,    // guess: elements of arrays that one iteration keeps in variables
    PASS_ENTRY_SCALARS = 16,     // guess: elements of an array of the entry level that become variables
};

// ---- iterations and lanes ------------------------------------------------------------------------------------------
enum {
    PASS_FUSE_MOST_SERIAL = 1024,        // guess: passes inside of an iteration that cost less than a barrier more
    PASS_FUSE_BINDINGS = 3,              // law: of a kernel, which are none of the program (compile/pack.c)
    PASS_FUSE_PACKED = 2,                // guess: ... and those in which arrays of known sizes stand together
    PASS_COARSEN_PASSES = 64,            // guess: of a lane, that cost less than a barrier more
    PASS_COARSEN_WAIT = 256,             // guess: passes of loops in a row, as long as a barrier or a dispatch
    PASS_COARSEN_MORE = 2,               // guess: times what each lane has of all passes of an iteration, in each lane
    PASS_LONE_LEAVING_PASSES = 128,      // guess: ... of one whose variables others read, for a dispatch more
    PASS_LONE_LEAST_PASSES = 16,         // guess: of a sequential loop, which fewer passes end as soon as it begins
    PASS_CONFINE_WAIT = 350,             // guess: operations of 256 lanes, as long as the grid waits at a barrier,
    PASS_CONFINE_REDUCTION = 100,        // guess: ... and longer, to combine;
    PASS_CONFINE_MEET = 20,              // guess: ... as long as lanes wait,
    PASS_CONFINE_COMBINE = 65,           // guess: ... and longer, to combine;
    PASS_CONFINE_PLACE = 1,              // guess: ... for each more dimension of an array,
    PASS_CONFINE_PLACES = 20,            // guess: ... times so many for each of the iterations,
    PASS_CONFINE_FAR = 50,               // guess: ... as a load takes that is not of workgroup memory
    PASS_CONFINE_SPARED = 5,             // guess: of the grid's waits, an iteration has to spare one in so many,
    PASS_CONFINE_LEAST_WAITS = 64,       // guess: ... where it has so many,
    PASS_CONFINE_PASSES = 1 << 20,       // guess: ... and so many operations before it lets others in,
    PASS_CONFINE_LONGEST = 1 << 24,      // guess: ... or so many, where data never end a loop early
    PASS_CONFINE_SPACE = 32,             // law: words between its arrays in workgroup memory, one for each bank
    PASS_ASIDE_WORDS = 4096,             // guess: that a loop moves
    PASS_COLLAPSE_LEAST_PASSES = 16,     // guess: fewer are sooner done by one invocation than waited for at a barrier
    PASS_COLLAPSE_MOST_COPIED = 48,      // guess: operations in front of the inner loop, which every pass then does
    PASS_DISTRIBUTE_LOOKS = 16,          // guess: loops of a program that are tried by themselves
    PASS_DISTRIBUTE_PARTS = 8,           // guess: of a parallel loop
    PASS_SPLIT_LEAST_PASSES = 16,        // guess: of a loop inside, for each word that is stored and loaded,
    PASS_SPLIT_MOST = 2,                 // guess: ... of which there are so many at most
    PASS_JAM_SIDE = 4,                   // guess: iterations side by side along a dimension: a vector's elements
    PASS_JAM_LOADS = 32,                 // guess: of an innermost loop that are looked at
    PASS_JAM_STATEMENTS = 480,           // guess: of an iteration, times the iterations side by side
    PASS_JAM_HIDES = 4,                  // guess: invocations whose waiting the copies of one hide
    PASS_JAM_LEAST_SAVED = 25,           // guess: percent of an iteration's operations
    PASS_JAM_MOST_WEIGHT = 1 << 20,      // law: sums of weights fit 64 bits
    PASS_JAM_TILE_SIDE = 16,             // law: its square is a workgroup's invocations, as pass_panel wants them
    PASS_ABREAST_MOST = 8,               // guess: passes of a serial loop side by side
    PASS_ABREAST_REGISTERS = 4,          // guess: of the register budget, 1 in so many words may be their sums
    PASS_ABREAST_STATEMENTS = 480,       // guess: of the loop's body, times the passes side by side
    PASS_ABREAST_ALIKE = 4,              // guess: of the inner loops' loads, 1 in so many is the same for all of them
    PASS_JOIN_MOST = 4,                  // law: components of a vector
    PASS_SQUARE_SIDE = 32,               // law: words of a line of a cache
    PASS_SECTOR_WORDS = 8,               // guess: that memory hands out together
    PASS_RFACTOR_MOST_BLOCKS = 32,       // guess: partial sums that one iteration adds up, each a load
    PASS_RFACTOR_MOST_COLUMN = 1024,     // guess: the same, where lanes share them
    PASS_RFACTOR_COLUMN_WORDS = 1 << 19, // guess: of all columns, so that a barrier more is little
    PASS_RFACTOR_LEAST_BLOCK = 32,       // guess: passes of a block, for each word of its sum that is stored and loaded
    PASS_RFACTOR_LEAST_PASSES = 64,      // guess: of an invocation without it, so that a barrier more is little
    PASS_FLATTEN_DEPTH = 6,              // guess: nested loops that become one
    PASS_FLATTEN_LEAST = 512,            // guess: passes of all of them, for lanes to share
    PASS_RFACTOR_HEAD = 48,              // guess: statements in front of the loop, which every block makes
    PASS_RFACTOR_SUMS = 16,              // guess: of one loop
    PASS_RFACTOR_REST = 4,               // guess: of an iteration's passes, 1 in so many at most is made by other loops
    PASS_RFACTOR_BUSY = 2,               // guess: of busy invocations, 1 in so many has jammed iterations of a block
    PASS_RANK_LEAST = 4096,              // guess: passes of a loop that takes places by a key,
    PASS_RANK_SUMS = 4,                  // guess: ... so many blocks are added up while a block makes a pass
    PASS_RANK_LEAST_BLOCKS = 16,         // guess: ... and fewer do not spare what counting costs
    PASS_RANK_WORDS = 1 << 22,           // guess: ... of what blocks took
    PASS_AUTOPAR_LEAST_TRIPS = 32,       // guess: passes of a sequential loop that becomes parallel,
    PASS_AUTOPAR_SUMS = 1 << 16,         // guess: floats of an array that such loops add to
    PASS_AUTOPAR_LEAST_PASSES = 256,     // guess: ... those of loops inside counted
    PASS_AUTOPAR_LEAST_SUMMED = 48,      // guess: ... of one that only sums up, between phases of one dispatch
    PASS_BEST_SET = 8,                   // guess: variables that a better one sets
    PASS_SEARCHES = 4,                   // guess: in a loop that lanes share
    PASS_SEARCH_KEYS = 4,                // guess: by which a search decides, one after the other
    PASS_BEST_LEAST_PASSES = 64,         // guess: of a search that becomes two loops
    PASS_CARRY_BACK = 4,                 // guess: passes that what one stored stays in registers,
    PASS_CARRY_ARRAYS = 4,               // guess: ... of so many arrays
    PASS_SCAN_HANDED = 16,               // guess: values that a loop's passes hand on,
    PASS_SCAN_LEVELS = 4,                // guess: ... of which each needs those before it, at most
    PASS_SCAN_LEAST_PASSES = 512,        // guess: ... and passes for each, so that two barriers more are little
    PASS_SCAN_LOOKS = 16,                // guess: loops of an iteration that are looked at
    PASS_SCAN_BLOCK = 32,                // guess: passes of a block, those of loops inside counted,
    PASS_SCAN_LEAST_BLOCK = 8,           // guess: ... but of its own that many at least
    PASS_SCAN_ALIKE = 4,                 // guess: values that go from block to block each in iterations of its own
    PASS_SCAN_CHOSEN = 12,               // guess: parts that blocks leave of floats that passes choose, with branches
    PASS_SCAN_FEW = 4,                   // guess: iterations, beside busy invocations: blocks make twice the passes
    PASS_SHARE_LEAST_PASSES = 32,        // guess: fewer are sooner done by one lane, where a barrier is the price
    PASS_SHARE_LEAST_EXPANDED = 12,      // guess: ... but where they share an array and iterations
    PASS_SHARE_IDLE = 32,                // guess: ... keep 1 in so many of a device's invocations busy, or fewer
    PASS_SAY_LINES = 8,                  // law: more do not fit into a line of text
    PASS_SHARE_LEAST_LONG = 8,           // guess: ... but for those that make so many passes of loops in each:
    PASS_SHARE_LONG = 64,                // guess: these
    PASS_SHARE_LEAST_LOOPS = 24,         // guess: ... and so many do where each has a loop of PASS_SHARE_LEAST_LONG
    PASS_STAGES = 12,                    // guess: passes of a loop that says how long those in it are, for lanes
    PASS_MERGE_MOST = 256,               // guess: passes of a loop around, which lanes else share alone
    PASS_SHARE_BEGIN = 8,                // guess: passes that a lane could make while it meets the others
    PASS_SHARE_BEGIN_BUSY = 2,           // guess: ... while others run
    PASS_DIVERGENCE = 4,                 // guess: so many times as long are data-dependent loops side by side
    PASS_UNKNOWN_PASSES = 16,            // guess: of a loop whose length nobody knows
    PASS_SHARE_SPARED = 5,               // guess: of an iteration's passes, lanes have to spare one in so many
    PASS_SHARE_LEAST_ROW = 128,          // guess: of a row where there are iterations enough: 4 lines of a cache
    PASS_SHARE_MOST_PASSES = 1 << 21,    // guess: of a lane, inner ones counted: it cannot pause inside of such a loop,
    PASS_SHARE_LEAST_CAP = 1 << 15,      // law: ... and drivers in software may end an invocation's loops after 65,535
    PASS_ALONE_SPARED = 3,               // guess: of an iteration's time, lanes that wait for one alone have to spare
    PASS_ALONE_MEETINGS = 4,             // guess: ... one part in so many, and meet so often for each loop they share
    PASS_LANES_LEAST_PASSES = 32,        // guess: of an `omp simd` loop that lanes of a workgroup share
    PASS_LANES_MOST_PASSES = 1 << 20,    // guess: of one whose length only has a bound
    PASS_LANES_MOST_AROUND = 4096, // guess: passes of a loop around those that lanes share, none of which can pause
    PASS_PREDICATE_MOST = 1 << 16, // guess: ... of all such loops in one another whose passes data decide about
    PASS_LEAP_LEAST = 512,         // guess: passes of a loop whose next pass that does something lanes look for,
    PASS_LEAP_PASSES = 1024,       // guess: ... so many at a time,
    PASS_LEAP_LANES = 32,          // guess: ... by so many lanes; fewer where there is no room for them,
    PASS_LEAP_LEAST_LANES = 8,     // guess: ... but so many at least,
    PASS_LEAP_FEW = 16,            // guess: ... which then try so many passes each,
    PASS_LEAP_GROWS = 4,           // guess: ... so many times as many as were made up to the last that did something,
    PASS_LEAP_EACH = 64,           // guess: ... of which one in so many does something,
    PASS_LEAP_MADE = 32,           // guess: ... and no more of them than these
    PASS_NEAR_GAIN = 2,            // guess: so much faster is what lanes have in the memory of their workgroup
    PASS_RECUR_BEGIN = 1024,       // experiments-nvidia-h100-2026-11-28-recur.txt, gbt_hist: operations of a round,
    PASS_RECUR_LOAD = 8,           // guess: ... of a load, one after the other,
    PASS_RECUR_CHAINED = 64,       // guess: ... and of one whose place follows from passes before
    PASS_RECUR_GAIN = 6,           // guess: twice as many passes a round have to spare one part in so many
    PASS_RECUR_SPARED = 3,         // guess: of a pass, rounds have to spare one part in so many
    PASS_JUMP_MOST = 1 << 14,      // guess: statements of a pass that are played for what they make of a word
    PASS_JUMP_SUMS = 4,            // law: operations of twice as many passes at once: a product, a sum, a choice,
    PASS_JUMP_ROWS = 130,          // law: ... or for each of 32 bits its word, masked and excluded
    PASS_JUMP_DOUBLINGS = 5,       // guess: of a round, to tell whether that is less than pass by pass
    PASS_COUNTERS_PASSES = 128,    // guess: of a round in which lanes take places, each of which looks at all of them;
    PASS_COUNTERS_LEAST = 32,      // guess: ... so many at least,
    PASS_COUNTERS_ROUNDS = 2,      // guess: ... in so many rounds
    PASS_LANES_PASSES_EACH = 8,    // guess: a lane should have so many, those of loops inside counted,
    PASS_LANES_STATEMENTS = 8,     // guess: ... and as one of these so many statements of an unrolled one
    PASS_OUTWARD_WORK = 32,        // guess: operations of one value of a reduction that moves inside
    PASS_LANES_LOOPS = 16,         // guess: loops of an iteration that are looked at for how lanes should stand
    PASS_LANES_ACROSS = 4,         // guess: lanes that stand so have to be this part of what keeps a device busy
    PASS_LANES_ACROSS_MANY = 16,   // experiments-nvidia-h100-2026-11-28-across.txt, where they are of no subgroup
    PASS_LANES_WRITERS = 64,       // guess: stores to one array that are looked at in pairs
    PASS_LANES_LOCAL_WORDS = 64,   // experiments-nvidia-h100-2026-11-27-unseen-4.txt, 2: of arrays, for each busy one
    PASS_LANES_ROW = 32,           // experiments-nvidia-h200-2026-11-22.txt, 1 and 4, beside 8, 16 and 64
    PASS_LANES_MANY_ROWS = 1024,   // guess: with so many rows, no row has more lanes than that
    PASS_ISSUE_MOST = 8,           // guess: loads that are made before a shared loop and wait in registers
    PASS_KEEP_LEAST_LANES = 4,     // guess: of a subgroup; with fewer each has too much of a row
    PASS_KEEP_REGISTERS = 2,       // guess: of the register budget, 1 in so many words may be of rows
    PASS_SPREAD_LEAST_PASSES = 4,  // guess: of an `omp simd` loop that lanes of a subgroup share
    PASS_SPREAD_LEAST_HELPER = 2,  // guess: of a loop beside it that only deals out its arrays
    PASS_SPREAD_EXCHANGE = 4,      // guess: cost of a shuffle and an operation, beside ir_ops[].cost
    PASS_SPREAD_AGAIN = 6,         // guess: cost of loading a word in each pass, as it did not find a register
    PASS_SPREAD_ARITHMETIC = 4,    // guess: of invocations that hide memory's latency, 1 in so many hides arithmetic's
    PASS_SPREAD_PERCENT = 95,      // guess: of the time with fewer lanes, at most, so that more are taken
    PASS_REDUNDANT_LOADS = 256,    // guess: of an iteration, that are remembered
    PASS_REDUNDANT_DISTANCE = 32,  // guess: statements between two loads, over which a register is held
    PASS_REDUNDANT_ROUNDS = 2,     // guess: loads, and loads at places that these say
    PASS_STATES_PERCENT = 60,      // guess: of one lane's time, at most, where nobody asked for lanes
    PASS_SPREAD_MOST_DEPTH = 16,   // guess: loops in each other that are weighed
    PASS_REDUCE_MOST_ROWS = 1024,  // guess: blocks of rows: as many as a large GPU runs at once, few for COMBINE
    PASS_PRIVATE_UPDATES = 4,      // guess: of a word of a workgroup's copy, so that the copy is made
    PASS_PRIVATE_BUSY = 16,        // guess: of invocations that keep a device busy, 1 in so many blocks at least,
    PASS_PRIVATE_BUSY_LONG = 4,    // guess: ... of iterations that are long, and at most where words are exchanged:
                                   // each workgroup then waits for all others, word by word
    PASS_PRIVATE_CHUNK = 32,       // law: invocations that a grid deals iterations to at a time
    PASS_SUMS_WORDS = 1 << 22,     // guess: of an array reduction's sums, of all blocks of iterations
    PASS_SUMS_EACH = 8,            // guess: iterations of such a block, at least,
    PASS_SUMS_UPDATES = 64,        // guess: atomic additions to a place, from which on they are such sums
    PASS_SUMS_FEW = 1 << 15,       // guess: ... but up to these have sums each
    PASS_SUMS_LONG = 64,           // guess: ... of so many passes of loops, and of as many as there are sums
    PASS_SIMD_REDUCTIONS = 64,     // guess: of one loop that lanes share; a quarter of a thread's registers
    PASS_CHOSEN_ELEMENTS = 16,     // guess: elements of an array to which data say where to add
    PASS_ACCUMULATORS = 32,        // guess: elements of an array that are variables in all of an iteration
    PASS_FUSED_REDUCTIONS = 64,    // law: of one loop that was several; fuse.c has room for so many
};

// ---- the text of an iteration --------------------------------------------------------------------------------------
// Some drivers' compilers take very long over long kernels: these are bounds on statements, unless they say otherwise.
enum {
    PASS_UNROLL_MOST_TRIPS = 64,            // guess: of a loop that touches arrays
    PASS_SCALAR_TRIPS = 128,                // guess: ... where its arrays become variables
    PASS_SCALAR_LOOPS = 256,                // guess: ... and loops of a parallel one that are looked at for that
    PASS_SCALAR_RARE = 40,                  // guess: ... and nodes of expressions for each access of one that is rare
    PASS_UNROLL_MOST_LOOPS = 8,             // guess: copies of a loop that stays in it
    PASS_UNROLL_TRIANGLE_MEMORY = 64,       // guess: elements in memory that a triangle's copies touch
    PASS_UNROLL_MOST_STATEMENTS = 1024,     // guess: of such a loop, unrolled, but for variables
    PASS_UNROLL_MOST_COMPUTING_TRIPS = 16,  // guess: of a loop that only computes
    PASS_UNROLL_COMPUTING_STATEMENTS = 256, // guess: of such a loop, unrolled
    PASS_UNROLL_KERNEL_STATEMENTS = 1600,   // guess: of one parallel loop: kernels stay under 2,000 lines
    PASS_UNROLL_GRID_STATEMENTS = 400,      // guess: of a kernel with barriers; widen may make four of each
    PASS_SPELL_ELEMENTS = 16,               // guess: of a local array whose elements data choose among variables
    PASS_SPELL_NODES = 4096,                // guess: of text that such choices become in a parallel loop,
    PASS_SPELL_SOFTWARE_NODES = 1024,       // guess: ... for a driver in software; with 4,096 one took 4 GB
    PASS_SPELL_ACCESS = 8,                  // guess: selections that take as long as an access to it in memory
    PASS_UNROLL_MOST_NODES = 16384,         // guess: added to a program; a driver in software then takes a second
    PASS_UNROLL_MOST_BRANCHES = 96,         // guess: the same of branches, weighed as below
    PASS_UNROLL_ELEMENTS = 256,   // guess: added accesses to local arrays that stay in memory, for a driver in software
    PASS_WIDE_STATEMENTS = 200,   // guess: of one body that makes several passes at once
    PASS_WIDE_OF_ALL = 600,       // guess: of all such bodies of an iteration
    PASS_WIDE_STREAMS = 8,        // guess: stretches of a row that a lane reads at once
    PASS_WIDE_EVEN_EIGHTHS = 7,   // guess: of the places in all rounds of a stretch, so many at least are used
    PASS_WIDE_MOST_ROWS = 16,     // guess: accesses along the loop that move
    PASS_SERIAL_TOGETHER = 4,     // guess: 4. experiments-nvidia-h200-2026-11-22.txt, 6, has 4 beside 1
    PASS_SERIAL_LEAST_TRIPS = 8,  // guess: two rounds
    PASS_SERIAL_LEAST_COMMON = 8, // guess: statements that passes have in common
    PASS_GATHER_TOGETHER = 8,     // guess: passes whose loads are made first, where a device is busy,
    PASS_GATHER_MOST = 16,        // experiments-nvidia-h100-2026-11-25-waits.txt, 3: ... and where it is not
    PASS_GATHER_MASKED = 4,       // guess: ... where their number is not known, so that few are made for nothing
    PASS_GATHER_LEAST_ROUNDS = 4, // guess: ... of them by lanes that share a loop, where all iterations load the same
    PASS_GATHER_MOST_STEP = 1 << 24, // law: so that the steps of several passes fit 32 bits
    PASS_AHEAD_MOST = 16,            // guess: loads that come in front of a branch,
    PASS_AHEAD_FEW = 4,              // guess: ... of so many between one branch and the next
    PASS_ASK_MOST = 8,               // guess: loads under conditions that a block makes without them
    PASS_ASK_LEAST = 2,              // guess: of them, of elements that it does not load anyway
    PASS_GATHER_LOADS = 16,          // guess: of PASS_GATHER_TOGETHER passes
    PASS_PREFETCH_TOGETHER = 4,      // guess: passes whose loads are made one round earlier,
    PASS_PREFETCH_MOST = 16,         // experiments-nvidia-h100-2026-11-25-waits.txt, 2: ... where few lanes exchange
    PASS_PREFETCH_LEAST_TRIPS = 8,   // guess: two rounds
    PASS_PREFETCH_STATEMENTS = 160,  // guess: of these passes
    PASS_PREFETCH_LOADS = 64,        // guess: of one pass
    PASS_CHOOSE_OPERATIONS = 8,      // guess: of both values of a branch that becomes a selection
    PASS_RESUME_PASSES = 256,        // guess: a loop of fewer, inner ones counted, never needs to stop
    PASS_RESUME_INNER_PASSES = 4096, // guess: an inner loop of so many can stop by itself
    PASS_RESUME_WORDS = 512,         // guess: of arrays that an iteration saves when it stops
    PASS_RESUME_LANES = 8,           // guess: of so many lanes together
};

// What drivers need to compile branches. A software driver's time doubles with each branch of two sides that stands in
// one loop's body, one after the other: 16 take 0.03 s, 20 a quarter of a second, 24 four, 40 do not end. Two sides
// have `if` with `else`, each `&&` and `||` that is printed as such, and a function that returns early. Branches of one
// side, also in each other, selections, `&`, all that is in loops of its own or outside of loops: 80 take 0.2 s at most
// (bench/results/branches-swiftshader-2026-11-26.txt).
enum {
    PASS_BRANCH_TWO_SIDES = 6, // branches-swiftshader-2026-11-26.txt, in a loop
    PASS_BRANCH_ONE_SIDE = 1,  // guess
    PASS_BRANCH_COUNTED = 1,   // guess: a FOR
    PASS_BRANCH_WHILE = 4,     // guess: a LOOP
    PASS_BRANCH_ANGLE = 6,     // guess: a sine for a driver in software, which takes 1 s for 16 and 4 for 48
};

// ---- programs of one dispatch --------------------------------------------------------------------------------------
enum {
    PASS_RECOMPUTE_VALUES = 8192,    // guess: 32 a lane. experiments-nvidia-h200-2026-11-22.txt, 5, has 4,096
    PASS_RECOMPUTE_WORK = 512,       // guess: operations of a lane for all of its values
    PASS_RECOMPUTE_NODES = 128,      // guess: of one value
    PASS_RECOMPUTE_LOADS = 4,        // guess: of one value
    PASS_RECOMPUTE_STATEMENTS = 24,  // guess: of the body
    PASS_TOLD_LOADS = 2,             // guess: of a block; each takes all of a workgroup some meetings
    PASS_RECOMPUTE_PARTIALS = 8,     // guess: reductions of one loop
    PASS_RECOMPUTE_COSTLY = 16,      // guess: operations that a division of integers or a function counts as
    PASS_RECOMPUTE_DEEPEST = 4,      // guess: loops in each other whose barriers are told apart
    PASS_STAGE_LEAST_LOADS = 32,     // guess: of an iteration, from an array that is copied before
    PASS_STAGE_GAIN = 2,             // guess: the same, for each word that an invocation copies
    PASS_STAGE_SCATTERED = 4,        // guess: loads of one word by all, that one of words all over a table is like
    PASS_STAGE_MOST_RUNS = 1 << 20,  // law: of a statement; more make no difference
    PASS_STAGE_MOST_WORDS = 1 << 20, // law: more than fits any workgroup memory
    PASS_STAGE_ROW = 16,             // guess: words of the longest row that stands with a distance of its own
    PASS_WINDOW_WORDS = 2048,        // guess: of one array's rows in workgroup memory
    PASS_WINDOW_OFFSETS = 32,        // guess: constants that are added to the loop's variable
    PASS_WINDOW_PASSES_EACH = 4,     // guess: of a lane, between two copies
    PASS_WINDOW_SHARING = 4,         // guess: iterations of a workgroup that read the same rows
    PASS_PANEL_WORDS = 5120,         // guess: of workgroup memory, so that several workgroups have room side by side
    PASS_PANEL_READS = 3,            // guess: lanes that read a word that is copied, on average
    PASS_PANEL_WORK = 32,            // guess: loads of a lane between two copies, which cost two barriers
    PASS_TURN_LEAST_PASSES = 32,     // guess: of a loop that walks along rows,
    PASS_TURN_LEAST_STRETCHES = 4,   // guess: ... in which the next words are asked for before these are walked
    PASS_TURN_BUSY = 2,              // guess: ... of busy invocations 1 in so many, so that all of a device has some,
    PASS_TURN_ROWS = 4,              // guess: of arrays, that such a loop walks along
    PASS_TURN_MOST_WORDS = 16,       // guess: of a row in workgroup memory,
    PASS_TURN_LEAST_WORDS = 4,       // guess: ... and where there is little of that
    PASS_TURN_ROOM = 8704,           // guess: words of all rows, so that several workgroups have room side by side
    PASS_TILE_MOST_ROWS = 8,         // guess
    PASS_TILE_LEAST_ROWS = 4,        // guess
    PASS_TILE_LEAST_COLUMNS = 64,    // guess
    PASS_TILE_LEAST_CELLS = 3,       // guess: read of a plane: fewer are not worth the barriers
    PASS_TILE_STATEMENTS = 480,      // guess: of a column's rows
};

// ---- workgroups (src/compile/kernels.c) ----------------------------------------------------------------------------
// With few iterations small ones, so that all of a device has some.
enum {
    PASS_FEW_ITERATIONS = 8192,     // guess: up to so many, workgroups of 32
    PASS_SOME_ITERATIONS = 65536,   // guess: of 64, as where the number is not known
    PASS_MANY_ITERATIONS = 1048576, // guess: of 128; beyond, of 256
    PASS_ENOUGH_GROUPS = 2048,      // experiments-nvidia-h100-2026-11-26-streams.txt, 5: their reports cost little
    PASS_ENOUGH_TIMES = 4,          // guess: times as many invocations as keep the device busy
    PASS_ROUNDS_MOST = 16,          // guess: iterations that an invocation makes one after the other,
    PASS_ROUNDS_PASSES = 64,        // guess: ... where one makes no more loop passes than that
};

// ---- proofs and examples -------------------------------------------------------------------------------------------
// These bound how long a compile takes. What is not proven in time is taken as not provable, what is not found as
// absent.
enum {
    PASS_SPAN_CHOICES = 4,            // guess: of the lesser or the greater, in each other, in a loop's bounds
    PASS_AFFINE_RECURSION = 64,       // guess: of an expression's range
    PASS_AFFINE_STEPS = 4096,         // guess: of a question, in nodes looked at
    PASS_PERMUTED_WORK = 200000,      // guess: nodes and statements of a loop whose passes are played one by one
    PASS_PERMUTED_STAGES = 1000000,   // guess: ... for all values of the counters around it
    PASS_PERMUTED_ALL = 4000000,      // guess: ... for all loops that are asked about in one scope (pass_scope)
    PASS_PERMUTED_DEPTH = 4,          // guess: of definitions in front of it that are looked into
    PASS_PERMUTED_WORDS = 1 << 16,    // guess: elements of the arrays that it writes
    PASS_LEFT_BOXES = 512,            // guess: elements of a thread's variable that are known to be set, as boxes
    PASS_LEFT_DEEPEST = 32,           // guess: ... expressions that an end is seen through
    PASS_LEFT_LOOPS = 64,             // guess: ... loops in each other
    PASS_LEFT_ASKED = 32,             // guess: ... conditions that a call asks for
    PASS_CORNERS_WORK = 300000,       // guess: nodes and statements of a program that is played for its indices
    PASS_PLAYED_DEPTH = 400,          // guess: of expressions in each other, for the stack
    PASS_CORNERS_LOOPS = 16,          // guess: in each other
    PASS_RACE_FIRST_ITERATIONS = 128, // guess: that are played
    PASS_RACE_LAST_ITERATIONS = 32,   // guess
    PASS_RACE_INNER_PASSES = 12,      // guess
    PASS_RACE_WORK = 150000,          // guess: nodes and statements of a parallel loop
    PASS_RACE_EVENTS = 40000,         // guess: accesses to elements
    PASS_RACE_FIRST_PASSES = 2,       // guess: of a loop around parallel loops
    PASS_RACE_DEEPEST = 3,            // guess: such loops in each other
    PASS_RACE_MEETINGS = 5,           // guess: of one parallel loop
};

#endif
