/* A whole battle with submarines: what happens where forces of two kinds meet, as kinds.py and meetings.py say it for
   battles with plans and waves, and all rounds. See rounds.c. */

#include "battle.h"

enum { MANY_CELLS = 30000, MOST_KINDS = 8, MOST_FIRES = 512 };

/* Hits of one reach, and the groups whose dice make them. */
typedef struct {
    whole reach, groups;
} stage;

typedef struct {
    whole count;
    stage at[MOST_STAGES];
} volley;

/* The forces of a side of one kind. */
typedef struct {
    whole count, has;                  /* how many, and what any of them has */
    whole *nodes;                      /* in ascending order */
} troop;

/* The fire of a side's kind at another kind. */
typedef struct {
    whole shooter, kinds[2];
    volley volley;
    aim aim;
    fire fire;
} shot;

typedef struct {
    battle *b;
    whole kinds[2];                    /* how many each side has */
    troop troops[2][MOST_KINDS];
    whole *kind[2];                    /* of each node */
    whole flies[2];                    /* whether any force of the side has planes */
    whole hunted;
    shot *shots;
    whole fired;
} sea;

/* Forces of one kind fire in the same way at the same targets. No loss leads to a kind with a lower number. */
static whole kind_of(whole has, whole quiet_subs, whole apart) {
    whole kind = has & HAS_SCREEN ? !(has & HAS_PLANES) : 2;
    if (quiet_subs && !(has & (HAS_SCREEN | HAS_PLANES))) kind = 3;
    return apart ? 2 * kind + !(has & HAS_SUBS) : kind;
}

static int find_kinds(sea *w) {
    battle *b = w->b;
    const side *theirs = b->sides + 1;
    const whole apart = b->sides[0].nodes * theirs->nodes > MANY_CELLS;
    whole quiet_subs = 0;
    for (whole at = 0; at < theirs->segments; at++) quiet_subs |= theirs->group[at] == SUBS && !theirs->strikes;
    for (whole which = 0; which < 2; which++) {
        const side *s = b->sides + which;
        whole counts[MOST_KINDS] = {0}, place[MOST_KINDS];
        whole *kind = room_for(&b->memory, 2 * sizeof(whole) * (size_t)s->nodes);
        if (!kind) return OUT_OF_MEMORY;
        whole *nodes = kind + s->nodes;
        for (whole node = 0; node < s->nodes; node++) {
            kind[node] = kind_of(s->has[node], quiet_subs, apart);
            counts[kind[node]]++, w->flies[which] |= s->has[node] & HAS_PLANES;
        }
        for (whole number = 0; number < MOST_KINDS; number++) {
            if (!counts[number]) continue;
            place[number] = w->kinds[which]++;
            w->troops[which][place[number]].nodes = nodes, nodes += counts[number];
        }
        for (whole node = 0; node < s->nodes; node++) {
            troop *t = w->troops[which] + (kind[node] = place[kind[node]]);
            t->nodes[t->count++] = node, t->has |= s->has[node];
        }
        w->kind[which] = kind;
    }
    return 0;
}

/* Whether submarines strike first, as no enemy destroyer is there. */
static int strikes_at(const sea *w, whole which, const whole *kinds) {
    return w->b->sides[which].strikes && w->troops[which][kinds[which]].has & HAS_SUBS
        && !(w->troops[1 - which][kinds[1 - which]].has & HAS_SCREEN);
}

/* The fire of a side's units that have not fired yet. Hits that may take fewer units are allotted first. */
static volley fire_of(const sea *w, whole which, const whole *kinds) {
    const whole has = w->troops[which][kinds[which]].has, target = w->troops[1 - which][kinds[1 - which]].has;
    const int subs = has & HAS_SUBS && !strikes_at(w, which, kinds);
    volley v = {0};
    whole others = 1 << OTHERS;
    if (subs && target & HAS_PLANES) v.at[v.count++] = (stage){SHIPS, 1 << SUBS};
    else if (subs) others |= 1 << SUBS;
    if (!(has & HAS_SCREEN || w->hunted) && target & HAS_SUBS && w->flies[which])
        v.at[v.count++] = (stage){SURFACE, 1 << PLANES};
    else others |= 1 << PLANES;
    v.at[v.count++] = (stage){ANY, others};
    return v;
}

/* Find all that some fire can leave. */
static int find_shot(sea *w, shot *s) {
    battle *b = w->b;
    side *shooters = b->sides + s->shooter, *targets = b->sides + 1 - s->shooter;
    const troop *from = w->troops[s->shooter] + s->kinds[s->shooter];
    const troop *at = w->troops[1 - s->shooter] + s->kinds[1 - s->shooter];
    aim *a = &s->aim;
    whole *row = room_for(&b->memory, sizeof(whole) * (size_t)shooters->nodes);
    if (!row) return OUT_OF_MEMORY;
    for (whole place = 0; place < from->count; place++) row[from->nodes[place]] = place;
    *a = (aim){s->volley.count, from->count, at->count, targets->nodes, from->nodes, at->nodes};
    int failed = 0;
    for (whole number = 0; number < a->stages && !failed; number++) {
        const stage *here = s->volley.at + number;
        failed = find_laws(b, shooters, here->groups);
        if (!failed) failed = find_taken(b, targets, here->reach, targets->most);
        a->laws[number] = shooters->laws[here->groups], a->widths[number] = shooters->widths[here->groups];
        a->taken[number] = targets->taken[here->reach];
    }
    if (failed) return failed;
    a->hits = targets->hits, a->least = b->least, a->work = b->work, a->most_work = b->most_work;
    failed = find_ways(a);
    b->work = a->work;
    if (failed) return failed;
    w->fired++;
    fire *f = &s->fire;
    *f = (fire){a->chances, a->places, a->shooters, row, a->first, a->place.at};
    for (whole number = 0; number < a->stages - 1; number++) f->factor[number] = a->factor[number].at;
    f->first_outcome = a->first_outcome, f->outcome = a->outcome.at, f->after = a->after.at;
    return 0;
}

/* Find some fire, each only once. */
static int find_fire(sea *w, whole which, const whole *kinds, const volley *v, fire **found) {
    for (whole number = 0; number < w->fired; number++) {
        shot *s = w->shots + number;
        if (s->shooter == which && !memcmp(s->kinds, kinds, sizeof s->kinds) && !memcmp(&s->volley, v, sizeof *v)) {
            *found = &s->fire;
            return 0;
        }
    }
    if (w->fired == MOST_FIRES) return TOO_LARGE;
    shot *s = w->shots + w->fired;
    s->shooter = which, s->kinds[0] = kinds[0], s->kinds[1] = kinds[1], s->volley = *v;
    *found = &s->fire;
    return find_shot(w, s);
}

static int find_meeting(sea *w, meeting *m, const whole *kinds) {
    const volley strike = {1, {{SHIPS, 1 << SUBS}}};
    int failed = 0;
    fire_pair main = {0};
    for (whole which = 0; which < 2 && !failed; which++) {
        const volley v = fire_of(w, which, kinds);
        failed = find_fire(w, which, kinds, &v, which ? &main.at_rows : &main.at_columns);
        if (failed || !strikes_at(w, which, kinds)) continue;
        m->strikes = m->layer = 1;
        failed = find_fire(w, which, kinds, &strike, which ? &m->strike.at_rows : &m->strike.at_columns);
    }
    m->salvo[1] = main, m->salvo_there[1] = 1;
    if (!m->strikes) m->salvo[0] = main, m->salvo_there[0] = 1;
    return failed;
}

/* Describe the cells. */
static int find_field(sea *w, field *f) {
    battle *b = w->b;
    const whole rows = b->sides[0].nodes, columns = b->sides[1].nodes;
    meeting *meetings = room_for(&b->memory, sizeof(meeting) * (size_t)(w->kinds[0] * w->kinds[1]));
    flag *fights = room_for(&b->memory, (size_t)(rows * columns));
    whole *first = room_for(&b->memory, sizeof(whole) * (size_t)(w->kinds[1] + 1));
    w->shots = room_for(&b->memory, sizeof(shot) * MOST_FIRES);
    if (b->memory.failed) return OUT_OF_MEMORY;
    for (whole row = 0; row < rows; row++)
        for (whole column = 0; column < columns; column++) fights[row * columns + column] = (flag)can_fight(b, row, column);
    for (whole kind = 0; kind < w->kinds[1]; kind++) first[kind + 1] = first[kind] + w->troops[1][kind].count;
    *f = (field){rows, columns, 2, w->kinds[0], w->kinds[1], w->kind[0], first, w->troops[1][0].nodes, meetings, fights};
    int failed = 0;
    for (whole kind = 0; kind < w->kinds[0]; kind++)
        for (whole other = 0; other < w->kinds[1] && !failed; other++) {
            const whole kinds[2] = {kind, other};
            failed = find_meeting(w, meetings + kind * w->kinds[1] + other, kinds);
        }
    return failed;
}

/* Fight so many rounds. */
static int fight_rounds(battle *b, field *f, double *law, whole rounds) {
    const size_t cells = (size_t)(f->rows * f->columns);
    double *waiting = room_for(&b->memory, sizeof(double) * cells);
    int failed = waiting ? 0 : OUT_OF_MEMORY;
    for (; rounds > 0 && !failed; rounds--) {
        memcpy(waiting, law, sizeof(double) * cells), memset(law, 0, sizeof(double) * cells);
        failed = spread(f, law, waiting, &b->rounds);
        for (size_t cell = 0; cell < cells; cell++) law[cell] += waiting[cell];
    }
    return failed;
}

/* Where the attacker retreats nobody fights on. */
static int stop_fights(battle *b, field *f) {
    choice c;
    double *worth;
    int failed = find_choice(b, 0, f->rows, 0, f->columns, f->layers, &c, &worth);
    if (!failed && b->plan.payoffs) failed = pull(f, worth, b->plan.payoffs, &c);
    for (whole cell = 0; cell < f->rows * f->columns && !failed; cell++) c.stops[cell] = f->fights[cell] && !c.stops[cell];
    f->fights = c.stops;
    return failed;
}

/* Put the chances of a fight where it begins. */
static void place_fight(const battle *b, const field *f, double *law, whole fight) {
    const side *theirs = b->sides + 1;
    memset(law, 0, sizeof(double) * (size_t)(f->layers * f->rows * f->columns));
    for (whole root = 0; root < theirs->roots; root++)
        if (theirs->fight[root] == fight) law[b->sides[0].start[0] * f->columns + theirs->start[root]] += b->start[root];
}

static int note_fight(battle *b, const field *f, const double *law, whole fight) {
    for (whole cell = 0; cell < f->rows * f->columns; cell++) {
        if (law[cell] <= 0 || (f->fights[cell] && b->rounds_most < 0)) continue;
        const end here = {cell / f->columns, cell % f->columns, law[cell], fight};
        if (add(&b->ends, sizeof here, &here)) return OUT_OF_MEMORY;
    }
    return 0;
}

static int fight_field(battle *b, void *cells_of) {
    field first = *(const field *)cells_of;
    double *law = room_for(&b->memory, sizeof(double) * (size_t)(first.layers * first.rows * first.columns));
    if (!law) return OUT_OF_MEMORY;
    first.eps = b->eps, first.least = A_TRIFLE * b->eps, first.work = b->work, first.most_work = b->most_work;
    field f = first;
    int failed = b->plan.there ? stop_fights(b, &f) : 0;
    for (whole fight = 0; fight < b->fights && !failed; fight++) {
        place_fight(b, &f, law, fight);
        if (b->plan.there) { /* nobody retreats before the first round */
            first.work = f.work, failed = fight_rounds(b, &first, law, 1), f.work = first.work;
        }
        if (!failed && b->rounds_most < 0) failed = push(&f, law, &b->rounds);
        else if (!failed) failed = fight_rounds(b, &f, law, b->rounds_most - b->plan.there);
        if (!failed) failed = note_fight(b, &f, law, fight);
    }
    b->work = f.work;
    return failed;
}

/* Fight to the end at sea. */
int fight_at_sea(battle *b) {
    sea w = {.b = b};
    field f;
    for (whole which = 0; which < 2; which++)
        for (whole at = 0; at < b->sides[which].segments; at++) w.hunted |= b->sides[which].is[at] & HUNTED;
    int failed = find_kinds(&w);
    if (!failed) failed = find_field(&w, &f);
    if (!failed) failed = fight_all(b, fight_field, &f);
    for (whole number = 0; number < w.fired; number++)
        take_ways(&w.shots[number].aim, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return failed;
}
