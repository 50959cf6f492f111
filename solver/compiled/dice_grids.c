/* Compared dice on grids of cells, [attackers, defenders], row by row: what compared.py does with numpy. Chances
   too small for all digits of a float go no further, as they are slow. Functions return 0 or OUT_OF_MEMORY. */

#include "dice.h"

/* Worth ---------------------------------------------------------------------------------------------------- */

/* worth[d] += share * worth[d - lost] for neighbouring cells from the lowest on. */
static inline void add_chain(double *worth, double share, whole lost, whole count) {
    for (whole d = 0; d < count; d++) worth[d] += share * worth[d - lost];
}

/* The same; with a loss that the compiler knows, it can hold the last cells in registers. */
static void add_own(double *worth, double share, whole lost, whole count) {
    if (lost == 1) add_chain(worth, share, 1, count);
    else if (lost == 2) add_chain(worth, share, 2, count);
    else add_chain(worth, share, lost, count);
}

/* The worth of neighbouring cells of a row. `below[i]` is the row of i units fewer; `stop_pays` may be null. */
static void pull_cells(const dice_law *law, double *const *below, whole first, whole count, const double *stop_pays) {
    double *row = below[0];
    if (law->leave > 0) memset(row + first, 0, sizeof(double) * (size_t)count);
    for (whole k = law->owns; k < law->count; k++) {
        const whole *lost = law->lost + 2 * k;
        add_scaled(row + first, below[lost[0]] + first - lost[1], law->share[k], count);
    }
    if (law->owns == 1 && !stop_pays) {
        add_own(row + first, law->share[0], law->lost[1], count);
        return;
    }
    for (whole d = first; d < first + count && (law->owns || stop_pays); d++) {
        for (whole k = 0; k < law->owns; k++) row[d] += law->share[k] * row[d - law->lost[2 * k + 1]];
        if (stop_pays && row[d] < stop_pays[d]) row[d] = stop_pays[d];
    }
}

/* The worth of the cells of a row from a column on. */
static void pull_row(const dice_table *t, double *const *below, whole row, whole low, whole columns, const double *stop_pays) {
    for (whole d = low; d < columns;) {
        const dice_law law = law_between(t, row, d);
        const whole count = same_law(t, d, columns);
        pull_cells(&law, below, d, count, stop_pays);
        d += count;
    }
}

/* Compute the worth of all cells that are not final; `stop_pays` may be null. See backward in chain.py. */
int dice_pull(const dice_table *table, const dice_grid *grid, double *worth, const double *stop_pays) {
    const whole columns = grid->columns;
    double *below[MOST_LOST + 1];
    for (whole row = grid->floor + 1; row < grid->rows; row++) {
        for (whole lost = 0; lost <= least(table->most_lost[0], row); lost++) below[lost] = worth + (row - lost) * columns;
        pull_row(table, below, row, 1, columns, stop_pays ? stop_pays + row * columns : NULL);
    }
    return 0;
}

/* The attacker's chances to win at the edge of a table of all sizes: see edge_chances in lines.py. */
typedef struct {
    whole side, counted, other, floor; /* side: 1 if defenders are counted, and the table is turned; up to `counted` */
    whole guarded;                     /* whether attackers who never roll win if nobody else is left */
    whole at_least;                    /* go on at least to this count */
    double enough;                     /* stop where the side's chance is so high */
    whole count;                       /* the last count, written here */
} dice_edge_of;

/* The worth of the final cells of a row. */
static void end_row(const dice_edge_of *e, double *row, whole number) {
    memset(row, 0, sizeof(double) * (size_t)(e->other + 1));
    if (!e->side) row[0] = number || e->guarded;
    for (whole a = 0; e->side && !number && a <= e->other; a++) row[a] = a || e->guarded;
}

int dice_edge(const dice_table *table, dice_edge_of *e, double *chances) {
    const whole columns = e->other + 1, kept = table->most_lost[0] + 1;
    double *rows = malloc(sizeof(double) * (size_t)(kept * columns)), *below[MOST_LOST + 1];
    if (!rows) return OUT_OF_MEMORY;
    for (e->count = 0; e->count <= e->counted; e->count++) {
        const whole number = e->count;
        for (whole lost = 0; lost <= least(number, kept - 1); lost++) below[lost] = rows + (number - lost) % kept * columns;
        end_row(e, below[0], number);
        if (number > (e->side ? 0 : e->floor)) pull_row(table, below, number, e->side ? e->floor + 1 : 1, columns, NULL);
        chances[number] = below[0][columns - 1];
        const double reached = e->side ? 1 - chances[number] : chances[number];
        if (number >= e->at_least && reached >= e->enough) break;
    }
    e->count = least(e->count, e->counted);
    free(rows);
    return 0;
}

/* Probability ---------------------------------------------------------------------------------------------- */

/* How often a round is fought in neighbouring cells of a row with the same law, from the highest down. */
static void visit_cells(const dice_law *law, double *here, double *visits, const flag *stopped, whole first, whole count) {
    for (whole d = first + count - 1; d >= first; d--) {
        visits[d] = (stopped && stopped[d]) || here[d] < DBL_MIN ? 0 : here[d];
        if (visits[d] > 0)
            for (whole k = 0; k < law->owns; k++) here[d - law->lost[2 * k + 1]] += law->share[k] * visits[d];
    }
}

/* Move the probability in the cells of a row on; `visits` has room for it. Return the rounds. */
static double push_row(const dice_table *t, double *law, whole row, whole columns, const flag *stopped, double *visits) {
    double *here = law + row * columns, rounds = 0;
    for (whole d = columns - 1; d > 0; d--) {
        const dice_law kind = law_between(t, row, d);
        const whole count = most(d - t->caps[1] + 1, 1);
        d -= count - 1;
        if (kind.leave == 0) continue;
        visit_cells(&kind, here, visits, stopped ? stopped + row * columns : NULL, d, count);
        rounds += add_up(visits + d, count) / kind.leave;
        for (whole k = kind.owns; k < kind.count; k++) {
            const whole *lost = kind.lost + 2 * k;
            add_scaled(law + (row - lost[0]) * columns + d - lost[1], visits + d, kind.share[k], count);
        }
    }
    return rounds;
}

/* Fight to the end; `stopped` may be null. See forward in chain.py. */
int dice_push(const dice_table *table, const dice_grid *grid, double *law, const flag *stopped, double *rounds) {
    double *visits = malloc(sizeof(double) * (size_t)grid->columns);
    if (!visits) return OUT_OF_MEMORY;
    for (whole row = grid->rows - 1; row > grid->floor; row--)
        *rounds += push_row(table, law, row, grid->columns, stopped, visits);
    free(visits);
    return 0;
}
