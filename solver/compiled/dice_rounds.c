/* Compared dice with a limit of rounds. Functions return 0 or OUT_OF_MEMORY.

   If every round with all dice costs both sides together the same, all cells where both sides roll all their dice are of
   one level after so many rounds. So a line holds them, and small grids hold the few rows and columns of cells where a
   side is short of dice, which the line only feeds: nothing ever leaves them. */

#include "dice.h"

/* Fight a round in the cells of a row from a column on. All lower rows have fought already; `mass` has room for it. */
static double spread_row(const dice_table *t, double *law, whole row, whole low, whole columns, double *mass) {
    double *here = law + row * columns;
    for (whole d = low; d < columns; d++) mass[d] = here[d] < DBL_MIN ? 0 : here[d], here[d] = 0;
    for (whole d = low; d < columns;) {
        const dice_law kind = law_between(t, row, d);
        const whole count = same_law(t, d, columns);
        if (kind.stay > 0) add_scaled(here + d, mass + d, kind.stay, count);
        for (whole k = 0; k < kind.count; k++) {
            const whole *lost = kind.lost + 2 * k;
            add_scaled(law + (row - lost[0]) * columns + d - lost[1], mass + d, kind.chance[k], count);
        }
        d += count;
    }
    return add_up(mass + low, columns - low);
}

/* Fight some rounds, from the cells where all probability is: `low` is the lowest cell that has any. */
int dice_spread(const dice_table *table, const dice_grid *grid, whole rounds, const whole *low, double *law, double *fought) {
    double *mass = malloc(sizeof(double) * (size_t)grid->columns);
    if (!mass) return OUT_OF_MEMORY;
    whole row_low = most(low[0], grid->floor + 1), column_low = most(low[1], 1);
    for (whole played = 0; played < rounds; played++) {
        double now = 0;
        for (whole row = row_low; row < grid->rows; row++)
            now += spread_row(table, law, row, column_low, grid->columns, mass);
        if (now == 0) break;
        *fought += now;
        row_low = most(row_low - table->most_lost[0], grid->floor + 1), column_low = most(column_low - table->most_lost[1], 1);
    }
    free(mass);
    return 0;
}

/* The worth of the cells of a row with a round more to fight. All higher rows have it already. */
static void gather_row(const dice_table *t, double *worth, whole row, whole low, whole columns, double *ahead) {
    double *here = worth + row * columns;
    memset(ahead + low, 0, sizeof(double) * (size_t)(columns - low));
    for (whole d = low; d < columns;) {
        const dice_law kind = law_between(t, row, d);
        const whole count = same_law(t, d, columns);
        if (kind.stay > 0) add_scaled(ahead + d, here + d, kind.stay, count);
        for (whole k = 0; k < kind.count; k++) {
            const whole *lost = kind.lost + 2 * k;
            add_scaled(ahead + d, worth + (row - lost[0]) * columns + d - lost[1], kind.chance[k], count);
        }
        d += count;
    }
    memcpy(here + low, ahead + low, sizeof(double) * (size_t)(columns - low));
}

/* Compute the worth of all cells with some rounds more to fight: see worth_by_rounds in chain.py. */
int dice_gather(const dice_table *table, const dice_grid *grid, whole rounds, double *worth) {
    double *ahead = malloc(sizeof(double) * (size_t)grid->columns);
    if (!ahead) return OUT_OF_MEMORY;
    for (whole left = 0; left < rounds; left++)
        for (whole row = grid->rows - 1; row > grid->floor; row--)
            gather_row(table, worth, row, 1, grid->columns, ahead);
    free(ahead);
    return 0;
}

/* A battle in which rounds with all dice cost both sides together the same. */
typedef struct {
    whole start[2], floor, limit;
    whole shortest_leap;               /* fewer rounds are fought one after the other */
    whole rows, columns;               /* the size of the grids of few attackers, and of few defenders */
    whole level, low, count;           /* the cells with all dice: their level, lowest attackers, and number */
    double rounds;                     /* the expected number of rounds */
} dice_course;

/* Move the cells of the line where a side is short of dice to their grid, and leave out what is too small at its ends. */
static void keep_inner(dice_course *c, double *line, double *few_attackers, double *few_defenders) {
    for (; c->count && (c->low < c->rows || line[c->low] < DBL_MIN); c->low++, c->count--)
        if (c->low < c->rows) few_attackers[c->low * (c->start[1] + 1) + c->level - c->low] += line[c->low];
    for (; c->count; c->count--) {
        const whole last = c->low + c->count - 1, defenders = c->level - last;
        if (defenders < c->columns) few_defenders[defenders * (c->start[0] + 1) + last] += line[last];
        else if (line[last] >= DBL_MIN) break;
    }
}

/* Fight a round in the cells with all dice, from one line to another. */
static double fight_line(const dice_table *t, dice_course *c, const double *line, double *next) {
    const dice_law law = law_between(t, t->caps[0], t->caps[1]);
    memset(next + c->low - t->most_lost[0], 0, sizeof(double) * (size_t)(c->count + t->most_lost[0]));
    for (whole k = 0; k < law.count; k++)
        add_scaled(next + c->low - law.lost[2 * k], line + c->low, law.chance[k], c->count);
    const double fought = add_up(line + c->low, c->count);
    c->low -= t->most_lost[0], c->count += t->most_lost[0], c->level -= t->steady;
    return fought;
}

/* Fight at once as many rounds as have all dice for certain, up to the limit, from one cell. Return their number. */
static whole leap(const dice_table *t, dice_course *c, double *line) {
    const dice_law law = law_between(t, t->caps[0], t->caps[1]);
    const whole spare[2] = {c->low - c->rows, c->level - c->low - c->columns};
    whole rounds = c->limit;
    for (int side = 0; side < 2; side++)
        if (t->most_lost[side]) rounds = least(rounds, spare[side] / t->most_lost[side] + 1);
    loss_law lost;
    if (!c->count || rounds < c->shortest_leap) return 0;
    if (find_power(&law, rounds, 0, &lost)) {
        free(lost.chances);
        return -1;
    }
    line[c->low] = 0;
    for (whole k = 0; k < lost.count; k++) line[c->low - lost.fewest - k] = lost.chances[k];
    free(lost.chances);
    c->low -= lost.fewest + lost.count - 1, c->count = lost.count;
    c->level -= rounds * t->steady, c->rounds = (double)rounds;
    return rounds;
}

/* Fight up to the limit, in both grids, [attackers, defenders] and [defenders, attackers], and on a line, [attackers].
   All begin with zeros. `turned` has the laws with the sides exchanged. */
int dice_rounds(const dice_table *t, const dice_table *turned, dice_course *c, double *few_attackers,
                double *few_defenders, double *line) {
    const whole width = c->start[0] + 1, columns = c->start[1] + 1, cost = t->most_lost[0] + t->most_lost[1];
    double *spare = malloc(sizeof(double) * (size_t)(width + most(columns, width))), *mass = spare + width;
    if (!spare) return OUT_OF_MEMORY;
    line[c->start[0]] = 1;
    c->level = c->start[0] + c->start[1], c->low = c->start[0], c->count = 1;
    keep_inner(c, line, few_attackers, few_defenders);
    whole played = leap(t, c, line);
    /* No cell of a lower level has probability. */
    whole reached = c->start[0] + c->start[1] - played * cost;
    if (played) keep_inner(c, line, few_attackers, few_defenders);
    for (double fought = 1; played >= 0 && played < c->limit && fought > 0; played++, reached -= cost) {
        fought = 0;
        for (whole a = c->floor + 1; a < c->rows; a++)
            fought += spread_row(t, few_attackers, a, least(most(reached - c->rows + 1, 1), columns), columns, mass);
        for (whole d = 1; d < c->columns; d++)
            fought += spread_row(turned, few_defenders, d, least(most(reached - d, c->floor + 1), width), width, mass);
        if (c->count) {
            fought += fight_line(t, c, line, spare);
            memcpy(line + c->low, spare + c->low, sizeof(double) * (size_t)c->count);
            keep_inner(c, line, few_attackers, few_defenders);
        }
        c->rounds += fought;
    }
    free(spare);
    return played < 0 ? OUT_OF_MEMORY : 0;
}
