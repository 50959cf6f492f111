/* Best play of a turn on a map, followed to all its ends: how often each target falls. Also what Python calls. */

#include "phase.h"

enum { MOST_NODES = 400000 };

typedef struct {
    state at;                          /* a part */
    row *row;                          /* with its visits */
    whole place;                       /* in the row */
    whole front, target;               /* of the best throw; no front is none */
} node;

/* Where play is followed. */
typedef struct {
    phase *p;
    list nodes;                        /* each after all that can follow it */
    double *falls;
    double mass;                       /* of the outcome that is spread */
} course;

/* The best state after a capture with so many left, and its worth. */
static double move_in(phase *p, const state *s, whole front, whole target, whole left, state *best) {
    state after = *s;
    after.left &= ~((mask)1 << target);
    const whole own = put_front(p, &after, target, 0), from = front + (own <= front);
    double highest = -1.0;
    for (whole moving = least(p->map.most_dice, left); moving <= left && !p->failed; moving++) {
        if (!is_tried(p, moving, left)) continue;
        after.free[own] = (armies)free_in(p, target, moving), after.free[from] = (armies)(left - moving);
        const double worth = worth_of_state(p, &after);
        if (highest < 0.0 || worth > highest * (1 + 1e-12)) highest = worth, *best = after;
    }
    return highest + gain_of(p, target);
}

/* An outcome of a throw: the state after it, and its worth with that of a target that falls. */
typedef struct {
    double chance, worth;
    flag falls;
    state after;
} outcome;

/* Call a function with each outcome of a throw. */
static double each_outcome(phase *p, const state *s, whole front, whole target,
                           double (*use)(course *, const outcome *), course *c) {
    const whole own = s->free[front], garrison = s->garrison[target];
    const whole none[2] = {0, 0};
    const double sure = 1.0;
    dice_law law = {1, 1, none, &sure, &sure, 1.0, 0.0};
    if (garrison) law = law_between(&p->dice, own, garrison);
    double sum = 0.0;
    for (whole o = 0; o < law.count && !p->failed; o++) {
        const whole left = own - law.lost[2 * o], holds = garrison - law.lost[2 * o + 1];
        outcome result = {law.share[o], 0.0, left && !holds, *s};
        if (result.falls) result.worth = move_in(p, s, front, target, left, &result.after);
        else {
            result.after.free[front] = (armies)left, result.after.garrison[target] = (armies)holds;
            result.worth = worth_of_state(p, &result.after);
        }
        sum += result.chance * (use ? use(c, &result) : result.worth);
    }
    return sum;
}

/* Find the first throw of a part that is worth as much as the part; return 0 if nothing is gained by any. */
static int find_throw(phase *p, node *n, double best) {
    for (n->front = 0; n->front < n->at.count && best > 0.0; n->front++)
        for (mask t = next_to(p, &n->at, n->front); t && !p->failed; t &= t - 1)
            if (each_outcome(p, &n->at, n->front, n->target = lowest(t), NULL, NULL) >= best * (1 - 1e-12)) return 1;
    return 0;
}

static double follow(course *c, const state *s);

static double follow_outcome(course *c, const outcome *o) { return follow(c, &o->after); }

/* Make room for the visits to a place. */
static int make_visits(row *r, whole place) {
    if (r->visited > place) return 0;
    visit *visits = realloc(r->visits, sizeof(visit) * (size_t)(place + 1));
    if (!visits) return OUT_OF_MEMORY;
    for (r->visits = visits; r->visited <= place; r->visited++) visits[r->visited] = (visit){0.0, -1.0};
    return 0;
}

/* List all parts that best play may come to from one, and return the chance that it takes all of its targets. The visits
   stand in the row of the part itself, also where targets that are alike have another order in that of its worth. */
static double follow_part(course *c, const state *part) {
    phase *p = c->p;
    if (!part->count) return 0.0;
    node here = {*part, NULL, 0, 0, 0};
    here.place = place_in_row(p, &here.at);
    row *r = here.row = find_row(p, &here.at);
    if (!r || (p->failed = make_visits(r, here.place))) return 0.0;
    if (r->visits[here.place].all >= 0.0) return r->visits[here.place].all;
    if (c->nodes.count == MOST_NODES) return p->failed = TOO_MUCH_WORK, 0.0;
    double all = 0.0;
    if (find_throw(p, &here, worth_of_state(p, &here.at)))
        all = each_outcome(p, &here.at, here.front, here.target, follow_outcome, c);
    else here.front = -1;
    if (!p->failed) p->failed = add(&c->nodes, sizeof(node), &here);
    return r->visits[here.place].all = all;
}

static double follow(course *c, const state *s) {
    state rest = *s, part;
    double all = 1.0;
    take_empty_fronts(&rest);
    while (rest.left && !c->p->failed) {
        next_part(c->p, &rest, &part);
        all *= follow_part(c, &part);
    }
    return all;
}

/* Add the mass of the outcome to the parts after it, of which all are listed. */
static void spread_to(course *c, const state *s, double mass) {
    state rest = *s, part;
    take_empty_fronts(&rest);
    while (rest.left && !c->p->failed) {
        next_part(c->p, &rest, &part);
        if (!part.count) continue;
        const whole place = place_in_row(c->p, &part);
        row *here = find_row(c->p, &part);
        if (here && place < here->visited) here->visits[place].mass += mass;
    }
}

static double spread_outcome(course *c, const outcome *o) {
    spread_to(c, &o->after, c->mass * o->chance);
    return o->falls;
}

static state read_state(phase *p, const whole *fronts, const whole *garrisons) {
    state s = {0};
    for (whole place = 0; place < p->map.places; place++)
        if (fronts[place]) put_front(p, &s, place, fronts[place]);
    for (whole t = 0; t < p->map.targets; t++)
        if (garrisons[t] >= 0) s.left |= (mask)1 << t, s.garrison[t] = (armies)garrisons[t];
    return s;
}

/* Begin a map; it is given back by `phase_end`. Null if there is no memory. */
phase *phase_begin(const phase_map *map, const dice_table *dice) {
    phase *p = calloc(1, sizeof(phase));
    if (!p) return NULL;
    p->map = *map, p->dice = *dice;
    find_twins(p);
    return p;
}

/* Find the worth of a state: the free armies of each place, and the garrison of each target, or -1 if it is taken. */
int phase_worth(phase *p, const whole *fronts, const whole *garrisons, double *worth, whole *done) {
    p->map.work = 0;                   /* each question may take as much */
    const state s = read_state(p, fronts, garrisons);
    *worth = p->failed ? 0.0 : worth_of_state(p, &s);
    done[0] = p->map.states, done[1] = p->map.work;
    return p->failed;
}

/* Follow best play from a state: how often each target falls, and the chance to take all. */
int phase_follow(phase *p, const whole *fronts, const whole *garrisons, double *falls, double *all) {
    course c = {p, {0}, falls, 0.0};
    p->map.work = 0;
    const state s = read_state(p, fronts, garrisons);
    *all = p->failed ? 0.0 : follow(&c, &s);
    spread_to(&c, &s, 1.0);
    for (whole n = c.nodes.count - 1; n >= 0 && !p->failed; n--) {
        const node *at = (node *)c.nodes.at + n;
        c.mass = at->row->visits[at->place].mass;
        if (c.mass > 0.0 && at->front >= 0)
            falls[at->target] += c.mass * each_outcome(p, &at->at, at->front, at->target, spread_outcome, &c);
    }
    free(c.nodes.at);
    free_visits(p);
    return p->failed;
}

void phase_end(phase *p) {
    free_rows(p);
    free(p);
}
