/* The law of a round of compared dice, as the C files about dice read it: see solver/dice/compiled.py. */

#ifndef DICE_H
#define DICE_H

#include <float.h>

#include "kernel.h"

enum { MOST_LOST = 8 };                /* the most units that a round costs a side: its dice, MOST_DICE in pools.py */

typedef struct {
    whole caps[2];                     /* the most dice of the attacker and of the defender */
    whole most_lost[2];                /* the most units that a round costs each of them */
    whole steady;                      /* what a round with all dice always costs both together, or 0 */
    const whole *first;                /* the first outcome of each law, [attacker's dice, defender's dice], and the end */
    const whole *owns;                 /* how many of the first outcomes of each law cost the attacker nothing */
    const whole *lost;                 /* [outcome, 2]; every outcome costs a unit */
    const double *chance;              /* of each outcome */
    const double *share;               /* of each outcome, if any unit is lost */
    const double *leave, *stay;        /* of each law: the chance that a unit is lost, and that none is */
} dice_table;

/* The law of one round. */
typedef struct {
    whole count, owns;
    const whole *lost;
    const double *chance, *share;
    double leave, stay;
} dice_law;

static inline whole least(whole a, whole b) { return a < b ? a : b; }
static inline whole most(whole a, whole b) { return a > b ? a : b; }

/* The law of a round between so many units, at least 1 on each side. */
static inline dice_law law_between(const dice_table *t, whole attackers, whole defenders) {
    const whole kind = (least(attackers, t->caps[0]) - 1) * t->caps[1] + least(defenders, t->caps[1]) - 1;
    const whole first = t->first[kind];
    const dice_law law = {t->first[kind + 1] - first, t->owns[kind],    t->lost + 2 * first, t->chance + first,
                          t->share + first,           t->leave[kind], t->stay[kind]};
    return law;
}

/* Add numbers, each multiplied by a factor. */
static inline void add_scaled(double *restrict to, const double *restrict from, double factor, whole count) {
    for (whole k = 0; k < count; k++) to[k] += factor * from[k];
}

/* The sum of some numbers, four at a time. */
static inline double add_up(const double *numbers, whole count) {
    double sums[4] = {0, 0, 0, 0}, sum = 0;
    whole k = 0;
    for (; k + 4 <= count; k += 4)
        for (int part = 0; part < 4; part++) sums[part] += numbers[k + part];
    for (; k < count; k++) sum += numbers[k];
    return sum + sums[0] + sums[1] + sums[2] + sums[3];
}

/* A grid: see Kernel in chain.py. */
typedef struct {
    whole rows, columns, floor;
} dice_grid;

/* How many neighbouring cells of a row, from a column on, have the same law. */
static inline whole same_law(const dice_table *t, whole column, whole columns) {
    return column < t->caps[1] ? 1 : columns - column;
}

/* The attackers lost in several equal rounds: the chances of `fewest`, `fewest` + 1, ..., and what they lack to 1. */
typedef struct {
    double *chances;
    whole fewest, count;
    double missing;
} loss_law;

/* The law of the attackers lost in `count` rounds, without losses at either end that are less likely than `drop`. The
   caller frees the chances. */
int find_power(const dice_law *trial, whole count, double drop, loss_law *law);

#endif
