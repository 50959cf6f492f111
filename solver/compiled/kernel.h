/* What the C files share. */

#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t whole;
typedef int32_t small;
typedef uint8_t flag;

enum { OUT_OF_MEMORY = 1, TOO_MUCH_WORK = 2, TOO_LARGE = 3, MOST_LIMITS = 2 };

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

enum { MOST_LAYERS = 4 };

/* The fire of one side. The targets' ways and outcomes stand one target after the other: see ways.py. */
typedef struct abreast abreast;
typedef struct {
    const double *chances;             /* [shooter, place] */
    whole width, shooters;             /* the number of places, and of shooters */
    const whole *row;                  /* the shooter of each node */
    const whole *first;                /* the first way of each target */
    const small *place;                /* the place of each way's chance */
    const small *factor[2];            /* the places of its further factors, or null */
    const whole *first_outcome;        /* the first outcome of each target */
    const whole *outcome;              /* the first way of each outcome, and the number of ways at the end */
    const whole *after;                /* the node that each outcome leaves */
    abreast *known;                    /* what was found while rounds are fought: see fire.c */
} fire;

typedef struct {
    fire *at_columns, *at_rows;        /* null for a side that does not fire */
} fire_pair;

typedef struct {
    whole strikes;                     /* whether the round begins with a surprise strike */
    fire_pair strike;
    whole layer;
    whole salvo_there[MOST_LAYERS];
    fire_pair salvo[MOST_LAYERS];
    whole quiet;                       /* whether nobody fires, but some move */
    const whole *quiet_rows, *quiet_columns;
} meeting;

typedef struct {
    whole rows, columns, layers;
    whole row_kinds, kinds;            /* the number of kinds of rows and of columns */
    const whole *row_kind;
    const whole *kind_first;           /* where the columns of each kind begin in the next list */
    const whole *kind_columns;         /* the columns of each kind, in ascending order */
    const meeting *meetings;           /* [kind of rows, kind of columns] */
    const flag *fights;                /* [row, column] */
    const flag *stops;                 /* [row, column], or null */
    const whole *moves_to;             /* the row that fights on if a row retreats, or null */
    double eps;                        /* cells with less are not followed */
    double least;                      /* neither are pairs of outcomes with less */
    double work, most_work;            /* the work that is done, and may be done */
} field;

enum { MOST_STAGES = 3, MOST_FACTORS = 2, ALWAYS = -1 };

/* A list of numbers that grows. */
typedef struct {
    void *at;
    whole count, room;
} list;

/* Make room for so many more. In each file by itself, as the size is known there. */
static inline int reserve(list *to, size_t size, whole more) {
    if (to->count + more > to->room) {
        const whole room = 64 + 2 * (to->room > more ? to->room : more);
        void *grown = realloc(to->at, size * (size_t)room);
        if (!grown) return OUT_OF_MEMORY;
        to->at = grown, to->room = room;
    }
    return 0;
}

static inline int add(list *to, size_t size, const void *what) {
    if (reserve(to, size, 1)) return OUT_OF_MEMORY;
    memcpy((char *)to->at + size * (size_t)to->count++, what, size);
    return 0;
}

typedef struct {
    whole stages, shooters, targets, nodes;
    const whole *shooter, *target;     /* the nodes that fire, and those under fire, in ascending order */
    const double *laws[MOST_STAGES];   /* the hits of each stage: [node, hits] */
    whole widths[MOST_STAGES];
    const whole *taken[MOST_STAGES];   /* the node that each number of hits leaves of each node: [node, hits] */
    whole hits;                        /* how many numbers of hits that table has */
    double least;                      /* smaller chances are left out */
    double work, most_work;
    whole places, ways, outcomes;      /* how many there are */
    double *chances;                   /* [shooter, place] */
    list place, factor[MOST_FACTORS];  /* of each way, small */
    list outcome, after;               /* of each outcome: its first way, and the node that it leaves */
    whole *first, *first_outcome;      /* of each node */
} aim;

/* The lines of a side: see `Front` in levels.py. */
typedef struct {
    whole lines, ranks, hits;          /* hits: how many numbers of hits the laws have */
    const double *laws, *tails;        /* [line, rank, hits] */
    const whole *nodes;                /* [line, rank] */
    const whole *fewest, *most;        /* the hits of each rank that are worth a thought */
} front;

typedef struct {
    front ours, theirs;
    const double *kills;               /* our laws with the hits in reverse: [line, rank, hits] */
    const double *shares;              /* one divided by the chance to leave each cell, by lines, or 0 */
    double eps, least, work, most_work; /* as in rounds.c */
} levels;

/* Arrays of one battle, which are given back together. They begin with zeros. */
typedef struct block block;
typedef struct { block *last; int failed; } arena;
void *room_for(arena *from, size_t size);
void give_back(arena *from);

int push_levels(levels *l, double *grid, whole battles, double *visits);
int spread_levels(levels *l, double *grid, const double *begun, whole battles);
int pull_levels(levels *l, double *grid, whole payoffs, const choice *c, const double *worth);
int push(field *f, double *law, double *rounds);
int spread(field *f, double *law, double *waiting, double *fought);
int pull(field *f, double *worth, whole payoffs, const choice *c);
int find_ways(aim *a);
int take_ways(aim *a, double *chances, small *place, small *factor, small *other, whole *first, whole *outcome,
              whole *after, whole *first_outcome);

#endif
