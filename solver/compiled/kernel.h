/* What the C files share. */

#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t whole;
typedef int32_t small;
typedef uint8_t flag;

enum { OUT_OF_MEMORY = 1, TOO_MUCH_WORK = 2, MOST_LIMITS = 2 };

#define A_CELL 25.0   /* work of a cell beside its chances, in the unit of Meter */
#define A_WAY 0.4     /* work of a way */
#define A_PAIR 0.04   /* work of a pair of outcomes */

/* The attacker's choice: see ground.py. */
typedef struct {
    whole rows, columns;
    const double *pays;                /* [payoff, row, column] */
    const whole *stays;                /* the row that stays behind when a row retreats */
    const flag *rules;                 /* whether a rule applies that does not plan: [row, column] */
    const flag *allowed;               /* whether they may stop: [row, column] */
    whole limits;
    whole payoff[MOST_LIMITS];         /* the payoff that each limit is about */
    double limit[MOST_LIMITS];
    whole gained[MOST_LIMITS];         /* whether it is about the gain over stopping */
    flag *stops;                       /* where they stop, written here: [row, column] */
} choice;

/* Whether the attacker stops in a cell where going on has this worth; then that becomes the worth of stopping. `worth` is
   a grid with so many rows: [payoff, row, column]. */
void choose(const choice *c, const double *worth, whole rows, whole payoffs, whole row, whole column, double *going);

#endif
