/* A whole battle in one call: what battle.c, sides.c, land.c, sea.c, plans.c and ends.c share. See at_once.py. */

#ifndef BATTLE_H
#define BATTLE_H

#include "kernel.h"

enum { PLANES, SUBS, OTHERS, GROUPS, EVERYBODY = (1 << GROUPS) - 1 };
enum { ANY, SHIPS, SURFACE, REACHES };
#define A_TRIFLE 1e-6 /* pairs of outcomes with less than this part of `eps` are left out */

enum { COLUMNS = 13, MOST_FORCES = 20000, MOST_PLACES = 2000000 };

/* What a unit is. */
enum { SCREENS = 1, HUNTED = 2, DEFENCELESS = 4, GUN = 8, LAND = 16, SPARE = 32 };

/* What a force has: a destroyer, submarines, planes; units that hit; units that some groups of the other side can hit;
   nobody who can fight, only transports or guns. */
enum {
    HAS_SCREEN = 1, HAS_SUBS = 2, HAS_PLANES = 4, HITS = 8, HITS_BY_SUBS = 16, HITS_BY_PLANES = 32, OFFERS_SUBS = 64,
    OFFERS_PLANES = 128, HELPLESS = 256
};

/* The forces of a side. A segment is some units that stand side by side in its order of loss. */
typedef struct {
    whole segments, kinds, roots, boosts, pools, strikes;
    const whole *units, *unit, *column, *dice, *group, *is, *kind; /* of each segment */
    const whole *raised;               /* how many units each unit of a segment raises: [pool, segment] */
    const whole *boost;                /* a unit, its column, that when raised, the pool: [boost, 4] */
    const whole *root;                 /* the forces with which it may begin: [root, segment] */
    const whole *fight;                /* of each root; battles that are told apart are fights */
    const double *price, *price_there; /* of each segment: the worth of a unit, and what a unit loses after a capture */
    whole nodes, most;                 /* the number of forces, weakest first, and the highest rank */
    whole *active;                     /* [node, segment] */
    whole *rank, *has, *start;         /* of each node; the node of each root */
    whole *head;                       /* of each root: the first one of its fight that stands on the same line */
    whole *after[REACHES], *taken[REACHES], hits; /* the node that one hit, or several, leave: [node, hits] */
    double *laws[1 << GROUPS];         /* the hits of some groups: [node, hits] */
    whole widths[1 << GROUPS];
} side;

typedef struct {
    whole row, column;
    double chance;
    whole fight;
} end;

/* When the attacker retreats. */
typedef struct {
    whole there, units_at_most;
    whole takes;                       /* whether to win is to take the territory, not to destroy all defenders */
    whole payoffs, gained[MOST_LIMITS]; /* what they are paid: money that going on has to gain, or 1 for a win */
    double limit[MOST_LIMITS];         /* with less they stop */
    double value;                      /* that of the territory, and what a unit loses after a capture, as planned */
    const double *price_there;
} plan;

typedef struct {
    side sides[2];                     /* the attacker, the defender */
    plan plan;
    whole land, low_luck, rounds_most, exact_cells, most_numbers, fights;
    /* `low_luck` is the sum of strengths that is a hit with low luck, or 0 */
    const whole *ships;                /* the dice of each column beside the attackers in the first round, or null */
    const double *chances;             /* the chance to hit of each column */
    const double *start;               /* the chance of each pair of roots */
    double dropped, value, least, eps, work, most_work;
    double rounds, fought;             /* the mean number of rounds, and the chance of all ends together */
    list ends;
    arena memory;
} battle;

/* Fights all rounds from the start, and notes the ends: see fight_all. */
typedef int sweep(battle *b, void *cells);

void count_dice(const side *s, whole node, whole groups, whole *counts);
void fill_law(const battle *b, const whole *counts, double *law);
int find_laws(battle *b, side *s, whole groups);
int find_lines(battle *b, side *s);
int find_forces(battle *b, side *s, const side *other);
int find_taken(battle *b, side *s, whole reach, whole limit);
int can_fight(const battle *b, whole row, whole column);
int fight_all(battle *b, sweep *fight, void *cells);
int fight_on_lines(battle *b);
int fight_at_sea(battle *b);
int find_choice(battle *b, whole row, whole rows, whole column, whole columns, whole layers, choice *c, double **worth);
double price_of(const side *s, const whole *units, const double *prices);
int stands_on_land(const side *s, whole node);
int write_answer(battle *b, list *numbers, list *reals);

#endif
