/* The attacker's plan: in which cells they retreat. See plans.py, which says it for battles that go step by step. */

#include "battle.h"

double price_of(const side *s, const whole *units, const double *prices) {
    double worth = 0;
    for (whole at = 0; at < s->segments; at++) worth += (double)units[at] * prices[at];
    return worth;
}

/* Whether the attacker has land units left. */
int stands_on_land(const side *s, whole node) {
    for (whole at = 0; at < s->segments; at++)
        if (s->is[at] & LAND && s->active[node * s->segments + at]) return 1;
    return 0;
}

/* What an end pays by the attacker's plan. */
typedef struct {
    double *spent, *gain, *beaten;     /* the attacker's loss of each row, what a capture brings; the defender's loss */
    double every;                      /* the worth of all defenders */
} prices;

static int find_prices(battle *b, whole row, whole rows, whole column, whole columns, prices *p) {
    const side *ours = b->sides, *theirs = b->sides + 1;
    p->spent = room_for(&b->memory, sizeof(double) * (size_t)rows);
    p->gain = room_for(&b->memory, sizeof(double) * (size_t)rows);
    p->beaten = room_for(&b->memory, sizeof(double) * (size_t)columns);
    if (b->memory.failed) return OUT_OF_MEMORY;
    const double all = price_of(ours, ours->units, ours->price);
    p->every = price_of(theirs, theirs->units, theirs->price);
    for (whole at = 0; at < rows; at++) {
        const whole *active = ours->active + (row + at) * ours->segments;
        p->spent[at] = all - price_of(ours, active, ours->price);
        p->gain[at] = b->plan.value - price_of(ours, active, b->plan.price_there);
    }
    for (whole at = 0; at < columns; at++)
        p->beaten[at] = p->every - price_of(theirs, theirs->active + (column + at) * theirs->segments, theirs->price);
    return 0;
}

static whole units_of(const side *s, whole node) {
    whole units = 0;
    for (whole at = 0; at < s->segments; at++) units += s->is[at] & SPARE ? 0 : s->active[node * s->segments + at];
    return units;
}

/* Note what the attacker gets in each cell if the battle ends there, and where a rule applies that does not plan. */
static void fill_pays(const battle *b, const prices *p, whole row, whole column, choice *c, double *pays, flag *rules,
                      flag *allowed) {
    const side *ours = b->sides, *theirs = b->sides + 1;
    for (whole at = 0; at < c->rows; at++) {
        const int alive = ours->rank[row + at] > 0, land = b->land && stands_on_land(ours, row + at);
        const flag few = units_of(ours, row + at) <= b->plan.units_at_most;
        for (whole to = 0; to < c->columns; to++) {
            const int helpless = (theirs->has[column + to] & HELPLESS) && alive;
            const int cleared = helpless || !theirs->rank[column + to], taken = land && cleared;
            const whole cell = at * c->columns + to;
            allowed[cell] = (flag)can_fight(b, row + at, column + to), rules[cell] = few && allowed[cell];
            for (whole payoff = 0; payoff < b->plan.payoffs; payoff++)
                pays[payoff * c->rows * c->columns + cell] = !b->plan.gained[payoff] ? b->plan.takes ? taken : cleared
                    : (helpless ? p->every : p->beaten[to]) - p->spent[at] + (taken ? p->gain[at] : 0);
        }
    }
}

/* Prepare the attacker's choice in some rows and columns; `worth` becomes that of the ends, with so many layers. */
int find_choice(battle *b, whole row, whole rows, whole column, whole columns, whole layers, choice *c, double **worth) {
    const whole cells = rows * columns;
    prices p;
    if (find_prices(b, row, rows, column, columns, &p)) return OUT_OF_MEMORY;
    double *pays = room_for(&b->memory, sizeof(double) * (size_t)(cells * b->plan.payoffs));
    flag *flags = room_for(&b->memory, (size_t)(3 * cells));
    *worth = room_for(&b->memory, sizeof(double) * (size_t)(cells * layers * b->plan.payoffs));
    if (b->memory.failed) return OUT_OF_MEMORY;
    *c = (choice){rows, columns, pays, NULL, flags, flags + cells, b->plan.payoffs};
    c->stops = flags + 2 * cells;
    for (whole payoff = 0; payoff < b->plan.payoffs; payoff++) {
        c->payoff[payoff] = payoff, c->limit[payoff] = b->plan.limit[payoff];
        c->gained[payoff] = b->plan.gained[payoff];
    }
    fill_pays(b, &p, row, column, c, pays, flags, flags + cells);
    memcpy(c->stops, c->rules, (size_t)cells);
    for (whole cell = 0; cell < cells; cell++)
        for (whole payoff = 0; payoff < b->plan.payoffs && !c->allowed[cell]; payoff++)
            (*worth)[payoff * layers * cells + cell] = pays[payoff * cells + cell];
    return 0;
}
