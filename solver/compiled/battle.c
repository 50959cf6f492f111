/* A whole battle in one call, from two orders of loss to the law of its ends: see at_once.py, which writes what is read
   here. */

#include "battle.h"

#define UNLIKELY 50.0 /* at first a cell drops so many times its share: see solve.py */
#define TRIMMED 1e-18 /* see ways.py */

/* What is given back. */
typedef struct {
    list numbers, reals;
    double work;
} answer;

static const whole *next(const whole **from, whole count) {
    *from += count;
    return *from - count;
}

static void read_side(side *s, const whole **from) {
    const whole *sizes = next(from, 6);
    s->segments = sizes[0], s->kinds = sizes[1], s->roots = sizes[2], s->boosts = sizes[3], s->pools = sizes[4];
    s->strikes = sizes[5];
    s->units = next(from, s->segments), s->unit = next(from, s->segments), s->column = next(from, s->segments);
    s->dice = next(from, s->segments), s->group = next(from, s->segments), s->is = next(from, s->segments);
    s->kind = next(from, s->segments);
    s->raised = next(from, s->pools * s->segments), s->boost = next(from, 4 * s->boosts);
    s->root = next(from, s->roots * s->segments), s->fight = next(from, s->roots);
}

static void read_plan(plan *p, const whole **numbers, const double *reals) {
    const whole *sizes = next(numbers, 4);
    p->there = sizes[0], p->units_at_most = sizes[1], p->takes = sizes[2], p->payoffs = sizes[3];
    memcpy(p->gained, next(numbers, p->payoffs), sizeof(whole) * (size_t)p->payoffs);
    memcpy(p->limit, reals, sizeof(double) * (size_t)p->payoffs), reals += p->payoffs;
    p->value = *reals, p->price_there = reals + 1;
}

static void read_battle(battle *b, const whole *numbers, const double *reals, double most_work) {
    const whole *sizes = next(&numbers, 6);
    b->land = sizes[0], b->low_luck = sizes[1], b->rounds_most = sizes[2];
    b->exact_cells = sizes[3], b->most_numbers = sizes[4];
    b->ships = sizes[5] ? next(&numbers, COLUMNS) : NULL;
    read_side(b->sides, &numbers), read_side(b->sides + 1, &numbers);
    for (whole root = 0; root < b->sides[1].roots; root++)
        if (b->sides[1].fight[root] >= b->fights) b->fights = b->sides[1].fight[root] + 1;
    b->most_work = most_work, b->dropped = *reals++, b->value = *reals++;
    b->chances = reals, reals += COLUMNS;
    b->start = reals, reals += b->sides[0].roots * b->sides[1].roots;
    for (side *s = b->sides; s < b->sides + 2; s++)
        s->price = reals, s->price_there = reals + s->segments, reals += 2 * s->segments;
    read_plan(&b->plan, &numbers, reals);
}

/* Whether any side has submarines. */
static int has_subs(const battle *b) {
    for (const side *s = b->sides; s < b->sides + 2; s++)
        for (whole at = 0; at < s->segments; at++)
            if (s->group[at] == SUBS) return 1;
    return 0;
}

/* Whether the cells take more memory than is allowed. */
static int is_too_large(const battle *b, int subs) {
    const double nodes = (double)b->sides[0].nodes, others = (double)b->sides[1].nodes;
    const double hits = (double)(b->sides[0].most + b->sides[1].most);
    return (subs ? 4 : 3) * (b->plan.payoffs ? 3 : 1) * nodes * others + 8 * (nodes + others) * hits > (double)b->most_numbers;
}

/* Fight from the start to the end; again more carefully if more than allowed was dropped. Few cells ever hold almost as
   much as may be dropped. */
int fight_all(battle *b, sweep *fight, void *cells) {
    const double share = b->dropped / (2.0 * (double)(b->fights * b->sides[0].nodes) * (double)b->sides[1].nodes);
    double sum = 0;
    for (whole root = 0; root < b->sides[0].roots * b->sides[1].roots; root++) sum += b->start[root];
    for (int turn = 0; turn < 2; turn++) {
        b->eps = b->rounds_most >= 0 ? share / (double)(b->rounds_most + 1) : turn ? share : share * UNLIKELY;
        b->rounds = b->fought = 0, b->ends.count = 0;
        const int failed = fight(b, cells);
        if (failed) return failed;
        const end *ends = b->ends.at;
        for (whole place = 0; place < b->ends.count; place++) b->fought += ends[place].chance;
        if (b->rounds_most >= 0 || sum - b->fought <= b->dropped || b->dropped == 0) return 0;
    }
    return 0;
}

/* Solve a battle; unless it fails, forget_battle must follow. */
int solve_battle(const whole *numbers, const double *reals, double most_work, answer **found) {
    battle b = {0};
    answer *a = calloc(1, sizeof *a);
    if (!a) return OUT_OF_MEMORY;
    read_battle(&b, numbers, reals, most_work);
    const int subs = has_subs(&b);
    int failed = 0;
    for (whole which = 0; which < 2 && !failed; which++)
        failed = subs ? find_forces(&b, b.sides + which, b.sides + 1 - which) : find_lines(&b, b.sides + which);
    if (!failed && is_too_large(&b, subs)) failed = TOO_LARGE;
    if (b.sides[0].nodes * b.sides[1].nodes <= b.exact_cells) b.dropped = 0;
    b.least = b.dropped > 0 ? TRIMMED : 0;
    if (!failed) failed = subs ? fight_at_sea(&b) : fight_on_lines(&b);
    if (!failed) failed = write_answer(&b, &a->numbers, &a->reals);
    a->work = b.work;
    free(b.ends.at), give_back(&b.memory);
    if (!failed) *found = a;
    else free(a->numbers.at), free(a->reals.at), free(a);
    return failed;
}

int forget_battle(answer *a) {
    free(a->numbers.at), free(a->reals.at), free(a);
    return 0;
}
