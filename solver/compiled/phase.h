/* Best play of a turn on a map, as its C files share it: see solver/conquest/phase.py.

   A state is the free armies of the fronts and the garrisons of the targets that are left. What no front connects is
   worked out by itself, as a part. The worths of one part stand in rows: in a row, all but the armies of the last front
   are fixed. A row grows as far as it is asked for. */

#ifndef PHASE_H
#define PHASE_H

#include "dice.h"

enum { MOST_TARGETS = 54, MOST_FRONTS = 32, MOST_FREE = 512 };

typedef uint64_t mask;                 /* a set of targets */
typedef int16_t armies;

typedef struct {
    whole targets, places;             /* the places: the targets, then the starts */
    whole most_dice;                   /* so many move in after a capture, if they are left */
    whole adds;                        /* whether worths of targets are added, instead of chances multiplied */
    whole pooled;                      /* whether one front is next to all targets, which no others are: then it may throw
                                          with fewer dice, and targets of the same worth are alike */
    whole step;                        /* which numbers are tried to move in: see most_staying */
    whole most_states, most_work;
    whole states, work;                /* the states that are worked out, and the rows that are read, written here */
    const whole *adjacent;             /* the targets next to each place */
    const whole *leave;                /* the armies that stay in each target */
    const whole *garrison;             /* the largest garrison of each target */
    const double *worth;               /* the worth of each target */
} phase_map;

typedef struct {
    mask left;                         /* the targets that are left */
    whole count;                       /* of the fronts */
    armies place[MOST_FRONTS], free[MOST_FRONTS]; /* by place */
    armies garrison[MOST_TARGETS];
} state;

/* While play is followed: how often it comes to a place of a row, and then takes all. */
typedef struct { double mass, all; } visit;

/* A row of worths, by the armies of the last front. */
typedef struct {
    double *worth;
    visit *visits;
    small first, count;                /* the worths from `first` up to `count` are there */
    small room, visited;               /* for so many there is memory */
} row;

/* Rows that differ in the garrison of one target alone. They stand together, so that few keys are looked up. */
typedef struct {
    row *rows;                         /* by that garrison */
    size_t size;                       /* of the key in bytes */
    char key[];
} sheet;

typedef struct {
    uint64_t hash;
    sheet *sheet;                      /* null is empty */
} slot;

typedef struct {
    phase_map map;
    dice_table dice;
    slot *table;                       /* of sheets, by their hash */
    whole room, sheets;                /* the size of the table, and how many sheets there are */
    arena memory;                      /* of sheets and rows */
    mask twins[MOST_TARGETS];          /* of each target, those after it that are alike: see find_twins */
    int any_twins;
    whole highest[MOST_TARGETS];       /* the largest garrison of each target and its twins */
    int failed;
} phase;

static inline mask next_to(const phase *p, const state *s, whole front) {
    return (mask)p->map.adjacent[s->place[front]] & s->left;
}

static inline int lowest(mask set) { return __builtin_ctzll(set); }

/* The armies that are free in a captured target, of those that move in. */
static inline whole free_in(const phase *p, whole target, whole moving) {
    return most(moving - p->map.leave[target], 0);
}

static inline double gain_of(const phase *p, whole target) { return p->map.adds ? p->map.worth[target] : 0.0; }

/* How many may stay behind at most, if it is tried that so many move in: any with the fewest and with multiples. */
static inline whole most_staying(const phase *p, whole moving) {
    return moving <= p->map.most_dice || moving % p->map.step == 0 ? MOST_FREE : 0;
}

static inline int is_tried(const phase *p, whole moving, whole left) {
    return left - moving <= most_staying(p, moving);
}

/* Put a front into its place in the list, and return that; -1 if there are too many. */
whole put_front(phase *p, state *s, whole place, whole free);

/* Leave out the fronts without armies. */
void take_empty_fronts(state *s);

/* Part a state: `part` becomes what is connected with the targets `from`, `s` what is left over. Fronts that no target is
   next to go. */
void part_from(const phase *p, state *s, mask from, state *part);

/* The next part of a state, which is taken out of it. */
static inline void next_part(const phase *p, state *s, state *part) { part_from(p, s, s->left & -s->left, part); }

/* The worth of a state, part by part. */
double worth_of_state(phase *p, const state *s);

/* The row of a state that is one part, with the worths of `first` to `last` armies in its last front; null if that
   fails. */
row *row_of(phase *p, const state *s, whole first, whole last);

/* The row of a state that is one part, without what is asked for; null if there is no memory. */
row *find_row(phase *p, const state *s);

/* Make room for so many worths in a row; return 0 if there is no memory. */
int widen_row(phase *p, row *here, whole count);

/* Find the targets that are alike, wherever fronts may stand. */
void find_twins(phase *p);

/* Bring targets that are alike into one order: the largest garrisons first, then those that are taken. */
void order_targets(const phase *p, state *s);

/* Give back the visits to all rows. */
void free_visits(phase *p);

/* Give back all rows. */
void free_rows(phase *p);

/* The place in the row of a state that is one part. Of fronts that are alike, the last one has the most armies there. */
whole place_in_row(const phase *p, state *s);

#endif
