/* Battles on lines in compiled code: what levels.py does with numpy, cell by cell; and what is shared by both kernels.

   A grid is laid out by lines: [attacker's line, defender's line, battle, attacker's rank, defender's rank]. Each pair of
   lines is a battle by itself. */

#include "kernel.h"

int has_avx2(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

void choose(const choice *c, const double *worth, whole rows, whole payoffs, whole row, whole column, double *going) {
    const whole cell = row * c->columns + column, stay = c->stays ? c->stays[row] : row;
    const double *paid = stay == row ? c->pays + cell : worth + stay * c->columns + column;
    const whole apart = (stay == row ? c->rows : rows) * c->columns;
    flag stops = c->rules[cell];
    for (whole l = 0; l < c->limits; l++) {
        const double gain = going[c->payoff[l]] - (c->gained[l] ? paid[c->payoff[l] * apart] : 0);
        stops |= gain < c->limit[l];
    }
    stops &= c->allowed[cell];
    c->stops[cell] = stops;
    if (stops)
        for (whole payoff = 0; payoff < payoffs; payoff++) going[payoff] = paid[payoff * apart];
}

/* Send mass from a cell to all cells that a round leads to, itself among them. */
static void send(levels *l, double *grid, whole line, whole other, whole rank, whole against, double mass) {
    const whole ranks = l->theirs.ranks;
    const whole reach = l->ours.hits, width = l->theirs.hits;
    const double *lose = l->theirs.laws + (other * ranks + against) * width;
    const double *kill = l->ours.laws + (line * l->ours.ranks + rank) * reach;
    const double *beaten = l->theirs.tails + (other * ranks + against) * width;
    const double *beating = l->ours.tails + (line * l->ours.ranks + rank) * reach;
    const double *reversed = l->kills + (line * l->ours.ranks + rank) * reach + reach - 1 - against;
    whole low = l->ours.fewest[rank], high = l->ours.most[rank] + 1;
    if (high > against) high = against;
    while (low < high && mass * kill[low] <= l->least) low++;
    while (high > low && mass * kill[high - 1] <= l->least) high--;
    whole last = l->theirs.most[against];
    if (last > rank) last = rank;
    double pairs = 0;
    for (whole hits = l->theirs.fewest[against] < rank ? l->theirs.fewest[against] : rank; hits <= rank; hits++) {
        if (hits > last) hits = rank;
        const double weight = mass * (hits < rank ? lose[hits] : beaten[rank]);
        if (weight <= l->least) continue;
        double *restrict to = grid + (rank - hits) * ranks;
        to[0] += weight * beating[against];
        for (whole column = against - high + 1; column <= against - low; column++) to[column] += weight * reversed[column];
        pairs += (double)(high - low);
    }
    l->work += A_CELL + A_PAIR * pairs;
}

/* Fight to the end on all lines; `visits` counts the rounds. */
int push_levels(levels *l, double *grid, whole battles, double *visits) {
    const whole rows = l->ours.ranks, columns = l->theirs.ranks;
    for (whole line = 0; line < l->ours.lines; line++)
        for (whole other = 0; other < l->theirs.lines; other++)
            for (whole battle = 0; battle < battles; battle++) {
                const whole pair = line * l->theirs.lines + other;
                const double *shares = l->shares + pair * rows * columns;
                double *here = grid + (pair * battles + battle) * rows * columns;
                for (whole rank = rows - 1; rank > 0; rank--) {
                    for (whole against = columns - 1; against > 0; against--) {
                        const whole cell = rank * columns + against;
                        if (here[cell] <= l->eps || shares[cell] == 0) continue;
                        const double mass = here[cell] * shares[cell];
                        *visits += mass;
                        send(l, here, line, other, rank, against, mass);
                        here[cell] = 0;
                    }
                    if (l->work > l->most_work) return TOO_MUCH_WORK;
                }
            }
    return 0;
}

/* Fight one round on all lines with the mass of `begun`, and add the outcome to a grid. Ships may fight alone, with
   nobody at rank 0. */
int spread_levels(levels *l, double *grid, const double *begun, whole battles) {
    const whole rows = l->ours.ranks, columns = l->theirs.ranks;
    for (whole line = 0; line < l->ours.lines; line++)
        for (whole other = 0; other < l->theirs.lines; other++)
            for (whole battle = 0; battle < battles; battle++) {
                const whole begin = ((line * l->theirs.lines + other) * battles + battle) * rows * columns;
                for (whole rank = rows - 1; rank >= 0; rank--)
                    for (whole against = columns - 1; against > 0; against--) {
                        const double mass = begun[begin + rank * columns + against];
                        if (mass > 0) send(l, grid + begin, line, other, rank, against, mass);
                    }
                if (l->work > l->most_work) return TOO_MUCH_WORK;
            }
    return 0;
}

/* The mean worth after a round in a cell, which itself has none yet. */
static double mean_after(levels *l, const double *grid, whole line, whole other, whole rank, whole against,
                         double *restrict sums) {
    const whole ranks = l->theirs.ranks, reach = l->ours.hits, width = l->theirs.hits;
    const double *lose = l->theirs.laws + (other * ranks + against) * width;
    const double *kill = l->ours.laws + (line * l->ours.ranks + rank) * reach;
    const double beaten = l->theirs.tails[(other * ranks + against) * width + rank];
    const double beating = l->ours.tails[(line * l->ours.ranks + rank) * reach + against];
    const whole low = l->ours.fewest[rank];
    const whole high = l->ours.most[rank] < against ? l->ours.most[rank] + 1 : against, count = high - low;
    whole last = l->theirs.most[against], begin = l->theirs.fewest[against];
    if (last >= rank) last = rank - 1;
    double end = beaten * grid[0];
    for (whole k = 0; k < count; k++) sums[k] = beaten * grid[against - high + 1 + k];
    for (whole hits = begin; hits <= last; hits++) {
        const double chance = lose[hits], *restrict line_after = grid + (rank - hits) * ranks;
        const double *restrict after = line_after + against - high + 1;
        end += chance * line_after[0];
        for (whole k = 0; k < count; k++) sums[k] += chance * after[k];
    }
    double mean = beating * end;
    for (whole k = 0; k < count; k++) mean += sums[k] * kill[high - 1 - k];
    l->work += A_CELL + A_PAIR * (double)(count * (last + 2 - begin));
    return mean;
}

/* Set the worth of all cells in which there is a fight; those are 0 before. */
int pull_levels(levels *l, double *grid, whole payoffs, const choice *c, const double *worth) {
    const whole rows = l->ours.ranks, columns = l->theirs.ranks;
    double *sums = malloc(sizeof(double) * (size_t)(columns + payoffs)), *going = sums + columns;
    if (!sums) return OUT_OF_MEMORY;
    for (whole line = 0; line < l->ours.lines; line++)
        for (whole other = 0; other < l->theirs.lines; other++) {
            const whole pair = line * l->theirs.lines + other;
            const double *shares = l->shares + pair * rows * columns;
            double *here = grid + pair * payoffs * rows * columns;
            for (whole rank = 1; rank < rows; rank++) {
                for (whole against = 1; against < columns; against++) {
                    const whole cell = rank * columns + against;
                    if (shares[cell] == 0 && !c) continue;
                    for (whole payoff = 0; payoff < payoffs; payoff++)
                        going[payoff] = shares[cell] == 0 ? 0 : shares[cell]
                            * mean_after(l, here + payoff * rows * columns, line, other, rank, against, sums);
                    if (c)
                        choose(c, worth, c->rows, payoffs, l->ours.nodes[line * rows + rank],
                               l->theirs.nodes[other * columns + against], going);
                    if (shares[cell] == 0) continue;
                    for (whole payoff = 0; payoff < payoffs; payoff++) here[payoff * rows * columns + cell] = going[payoff];
                }
                if (l->work > l->most_work) {
                    free(sums);
                    return TOO_MUCH_WORK;
                }
            }
        }
    free(sums);
    return 0;
}
