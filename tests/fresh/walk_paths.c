// Dynamic programming along rows, in place: the cheapest way to each place of a row, where a step costs what stands
// there and a jump from the row's begin a price of its own; then how far back each way's last jump is.
// run: -i rows=100000 -i columns=256 -i cost=uniform:lo=0,hi=50,seed=1 -i jump=uniform:lo=0,hi=900,seed=2
// test: -i rows=512 -i columns=65 -i cost=uniform:lo=0,hi=50,seed=1 -i jump=uniform:lo=0,hi=900,seed=2
// check: exact

void walk_paths(int rows, int columns, int cost[rows][columns], const int jump[rows][columns], int back[rows][columns],
                int end[rows]) {
#pragma omp parallel for
    for (int r = 0; r < rows; r++) {
        int length = 0;
        for (int c = 1; c < columns; c++) {
            int walked = cost[r][c - 1] + cost[r][c], jumped = jump[r][c] + cost[r][c];
            length = walked <= jumped ? length + 1 : 0;
            cost[r][c] = walked <= jumped ? walked : jumped;
            back[r][c] = length;
        }
        end[r] = cost[r][columns - 1] + cost[r][columns / 2];
    }
}
