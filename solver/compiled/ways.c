/* The ways of fire in compiled code: every number of hits of every stage, and the force that it leaves. See ways.py.

   The caller gives the laws of hits and the forces that hits leave, calls find_ways, makes room for what it found, and
   calls take_ways, which also frees the memory. */

#include "kernel.h"

#define A_LAUNCH 15.0 /* work of a way or branch, in the unit of Meter; with numpy it takes more time and memory */
#define A_CHANCE 0.5  /* work of a number of a law: LAW in ways.py */

/* The law of the hits of all shooters: of a stage, or of some hits of several stages together. */
typedef struct {
    double *chances;                   /* [shooter, hits] */
    double *peaks;                     /* the highest chance of so many hits, or of at least so many: [hits, 2] */
    whole width, stage;
    whole *joint;                      /* 1 + the law joined with the next stage up to so many hits, or 0: [hits, 2] */
} law;

/* A branch: a force that has taken the hits of the stages before. */
typedef struct {
    whole start, law, factor[MOST_FACTORS];
} launch;

/* A way, by the places of its chances. */
typedef struct {
    small places[1 + MOST_FACTORS];
} origin;

typedef struct {
    list laws, launches;
    small *legal[MOST_STAGES], *agree[MOST_STAGES]; /* of each node, or -1 if not known yet */
    small *last;                       /* the latest way that leaves each node, or -1 */
    list next, from;                   /* of each way of a target: the way before that leaves the same, its places */
    whole widest;
} search;

static law *law_at(const search *s, whole number) { return (law *)s->laws.at + number; }

/* Note the highest chances of a law. */
static int find_peaks(const aim *a, law *l) {
    l->peaks = calloc((size_t)(2 * l->width), sizeof(double));
    l->joint = calloc((size_t)(2 * l->width), sizeof(whole));
    if (!l->peaks || !l->joint) return OUT_OF_MEMORY;
    for (whole shooter = 0; shooter < a->shooters; shooter++) {
        const double *chances = l->chances + shooter * l->width;
        double tail = 0;
        for (whole hits = l->width - 1; hits >= 0; hits--) {
            tail += chances[hits];
            if (chances[hits] > l->peaks[2 * hits]) l->peaks[2 * hits] = chances[hits];
            if (tail > l->peaks[2 * hits + 1]) l->peaks[2 * hits + 1] = tail;
        }
    }
    return 0;
}

/* Add the law of a stage, without the highest numbers of hits that nobody has a chance of. */
static int add_stage(const aim *a, search *s, whole stage) {
    const whole given = a->widths[stage];
    whole width = 1;
    for (whole shooter = 0; shooter < a->shooters; shooter++) {
        const double *chances = a->laws[stage] + a->shooter[shooter] * given;
        for (whole hits = given - 1; hits >= width; hits--)
            if (chances[hits] > a->least) width = hits + 1;
    }
    law l = {.width = width, .stage = stage};
    l.chances = malloc(sizeof(double) * (size_t)(a->shooters * width));
    if (add(&s->laws, sizeof l, &l)) {
        free(l.chances);
        return OUT_OF_MEMORY;
    }
    if (!l.chances) return OUT_OF_MEMORY;
    for (whole shooter = 0; shooter < a->shooters; shooter++)
        memcpy(l.chances + shooter * width, a->laws[stage] + a->shooter[shooter] * given, sizeof(double) * (size_t)width);
    s->widest += width;
    return find_peaks(a, law_at(s, stage));
}

/* Find the law of up to `most` hits of a law together with those of the next stage. */
static int join_laws(aim *a, search *s, whole number, whole most, int capped, whole *joined) {
    const whole known = law_at(s, number)->joint[2 * most + capped];
    if (known) return *joined = known - 1, 0;
    const law one = *law_at(s, number), other = *law_at(s, one.stage + 1);
    law l = {.width = most + other.width, .stage = one.stage + 1};
    a->work += A_CHANCE * (double)(most * a->shooters * other.width);
    if (a->work > a->most_work) return TOO_MUCH_WORK;
    l.chances = calloc((size_t)(a->shooters * l.width), sizeof(double));
    if (add(&s->laws, sizeof l, &l)) {
        free(l.chances);
        return OUT_OF_MEMORY;
    }
    if (!l.chances) return OUT_OF_MEMORY;
    for (whole shooter = 0; shooter < a->shooters; shooter++) {
        const double *chances = one.chances + shooter * one.width, *more = other.chances + shooter * other.width;
        for (whole hits = 0; hits <= most; hits++) {
            double *restrict sums = l.chances + shooter * l.width + hits, chance = chances[hits];
            for (whole rest = hits + 1; capped && hits == most && rest < one.width; rest++) chance += chances[rest];
            for (whole others = 0; others < other.width; others++) sums[others] += chance * more[others];
        }
    }
    *joined = s->laws.count - 1;
    law_at(s, number)->joint[2 * most + capped] = s->laws.count;
    return find_peaks(a, law_at(s, *joined));
}

/* The most hits that a force can take in a stage. */
static whole legal_hits(const aim *a, const search *s, whole stage, whole node) {
    small *known = s->legal[stage] + node;
    if (*known < 0) {
        const whole *taken = a->taken[stage] + node * a->hits;
        whole hits = 0;
        while (hits + 1 < a->hits && taken[hits + 1] != taken[hits]) hits++;
        *known = (small)hits;
    }
    return *known;
}

/* The number of hits up to which a stage takes the same units as the next. */
static whole common_hits(const aim *a, const search *s, whole stage, whole node) {
    small *known = s->agree[stage] + node;
    if (*known < 0) {
        const whole *one = a->taken[stage] + node * a->hits, *other = a->taken[stage + 1] + node * a->hits;
        whole hits = 0;
        while (hits + 1 < a->hits && one[hits + 1] == other[hits + 1]) hits++;
        *known = (small)hits;
    }
    return *known;
}

static whole least_of(whole one, whole other) { return one < other ? one : other; }

static whole place_of(const search *s, whole number, whole hits, int all) {
    return 2 * (number * s->widest + hits) + all;
}

/* The highest chance at a place. */
static double peak_at(const aim *a, const search *s, whole place) {
    if (place == ALWAYS) return 1;
    const law *l = law_at(s, place / (2 * s->widest));
    const double peak = l->peaks[2 * (place / 2 % s->widest) + place % 2];
    return peak < a->least ? 0 : peak;
}

/* Add hits of a stage that take the same units as the next stage's to these; let the others branch off. */
static int branch_stage(aim *a, search *s, whole stage) {
    const whole count = s->launches.count;
    for (whole place = 0; place < count; place++) {
        launch here = ((launch *)s->launches.at)[place];
        const whole width = law_at(s, here.law)->width, legal = legal_hits(a, s, stage, here.start);
        const whole agree = least_of(least_of(common_hits(a, s, stage, here.start), legal), width - 1);
        for (whole hits = agree + 1; hits <= least_of(legal, width - 1); hits++) {
            const int all = hits == legal;
            a->work += A_LAUNCH;
            if (law_at(s, here.law)->peaks[2 * hits + all] <= a->least) continue;
            launch off = {a->taken[stage][here.start * a->hits + hits], stage + 1, {here.factor[0], here.factor[1]}};
            off.factor[stage] = place_of(s, here.law, hits, all);
            if (add(&s->launches, sizeof off, &off)) return OUT_OF_MEMORY;
        }
        whole joined = 0;
        const int failed = join_laws(a, s, here.law, agree, agree == legal && agree < width - 1, &joined);
        if (failed) return failed;
        ((launch *)s->launches.at)[place].law = joined;
    }
    return 0;
}

/* List the ways of a launch by what they leave; tell the lowest and the highest of these nodes. */
static int list_ways(aim *a, search *s, const launch *l, whole owner, whole *low, whole *high) {
    const whole last = a->stages - 1, legal = legal_hits(a, s, last, l->start);
    const law *here = law_at(s, l->law);
    const whole most = least_of(legal, here->width - 1);
    double chance = 1;
    for (whole f = 0; f < last; f++) chance *= peak_at(a, s, l->factor[f]);
    a->work += A_LAUNCH * (double)(most + 1);
    s->from.count = s->next.count;
    if (reserve(&s->next, sizeof(small), most + 1) || reserve(&s->from, sizeof(origin), most + 1)) return OUT_OF_MEMORY;
    for (whole hits = 0; hits <= most; hits++) {
        const whole node = a->taken[last][l->start * a->hits + hits];
        const small at = (small)place_of(s, l->law, hits, hits == legal);
        const double peak = here->peaks[2 * hits + (hits == legal)];
        if (node != owner && (peak < a->least || chance * peak <= a->least)) continue;
        if (node < *low) *low = node;
        if (node > *high) *high = node;
        ((origin *)s->from.at)[s->next.count] = (origin){{at, (small)l->factor[0], (small)l->factor[1]}};
        ((small *)s->next.at)[s->next.count] = s->last[node];
        s->last[node] = (small)s->next.count++;
    }
    return 0;
}

/* Find the ways of one target, the strongest outcome first. */
static int find_ways_of(aim *a, search *s, whole owner) {
    const launch whole_force = {owner, 0, {ALWAYS, ALWAYS}};
    s->launches.count = s->next.count = 0;
    int failed = add(&s->launches, sizeof whole_force, &whole_force);
    for (whole stage = 0; stage < a->stages - 1 && !failed; stage++) failed = branch_stage(a, s, stage);
    whole low = a->nodes, high = -1;
    for (whole place = 0; place < s->launches.count && !failed; place++)
        failed = list_ways(a, s, (launch *)s->launches.at + place, owner, &low, &high);
    list *lists[1 + MOST_FACTORS] = {&a->place, a->factor, a->factor + 1};
    small *places[1 + MOST_FACTORS];
    for (whole f = 0; f < a->stages && !failed; f++) {
        lists[f]->count = a->ways, failed = reserve(lists[f], sizeof(small), s->next.count), places[f] = lists[f]->at;
    }
    for (whole node = high; node >= low && !failed; node--) {
        if (s->last[node] < 0) continue;
        failed = add(&a->outcome, sizeof(whole), &a->ways) || add(&a->after, sizeof node, &node) ? OUT_OF_MEMORY : 0;
        for (small number = s->last[node]; number >= 0; number = ((small *)s->next.at)[number], a->ways++)
            for (whole f = 0; f < a->stages; f++) places[f][a->ways] = ((origin *)s->from.at)[number].places[f];
        s->last[node] = -1;
    }
    return failed ? failed : a->work > a->most_work ? TOO_MUCH_WORK : 0;
}

/* Number the places that some way needs, and fill the table of their chances. */
static int fill_table(aim *a, search *s) {
    const whole most = 2 * s->laws.count * s->widest + 1;
    small *rank = calloc((size_t)most, sizeof(small));
    if (!rank) return OUT_OF_MEMORY;
    list *lists[1 + MOST_FACTORS] = {&a->place, a->factor, a->factor + 1};
    for (whole f = 0; f < a->stages; f++)
        for (whole way = 0; way < a->ways; way++) rank[((small *)lists[f]->at)[way] + 1] = 1;
    for (whole place = 0; place < most; place++)
        if (rank[place]) rank[place] = (small)++a->places;
    for (whole f = 0; f < a->stages; f++)
        for (whole way = 0; way < a->ways; way++) ((small *)lists[f]->at)[way] = rank[((small *)lists[f]->at)[way] + 1] - 1;
    a->work += (double)(a->places * a->shooters);
    const int failed = a->work > a->most_work ? TOO_MUCH_WORK : 0;
    a->chances = failed ? NULL : malloc(sizeof(double) * (size_t)(a->places * a->shooters));
    for (whole shooter = 0; shooter < a->shooters && a->chances; shooter++) {
        double *line = a->chances + shooter * a->places;
        if (rank[0]) line[0] = 1;
        for (whole number = 0; number < s->laws.count; number++) {
            const law *l = law_at(s, number);
            const small *places = rank + 1 + place_of(s, number, 0, 0);
            const double *chances = l->chances + shooter * l->width;
            double tail = 0;
            for (whole hits = l->width - 1; hits >= 0; hits--) {
                tail += chances[hits];
                if (places[2 * hits]) line[places[2 * hits] - 1] = chances[hits] < a->least ? 0 : chances[hits];
                if (places[2 * hits + 1]) line[places[2 * hits + 1] - 1] = tail < a->least ? 0 : tail;
            }
        }
    }
    free(rank);
    return failed ? failed : a->chances ? 0 : OUT_OF_MEMORY;
}

static int begin(const aim *a, search *s) {
    const size_t size = sizeof(small) * (size_t)a->nodes;
    for (whole stage = 0; stage < a->stages; stage++) {
        s->legal[stage] = malloc(size), s->agree[stage] = malloc(size);
        if (!s->legal[stage] || !s->agree[stage]) return OUT_OF_MEMORY;
        memset(s->legal[stage], -1, size), memset(s->agree[stage], -1, size);
    }
    s->last = malloc(size), s->widest = 1;
    if (!s->last) return OUT_OF_MEMORY;
    memset(s->last, -1, size);
    int failed = 0;
    for (whole stage = 0; stage < a->stages && !failed; stage++) failed = add_stage(a, s, stage);
    return failed;
}

static void end(search *s) {
    for (whole number = 0; number < s->laws.count; number++)
        free(law_at(s, number)->chances), free(law_at(s, number)->peaks), free(law_at(s, number)->joint);
    for (whole stage = 0; stage < MOST_STAGES; stage++) free(s->legal[stage]), free(s->agree[stage]);
    free(s->laws.at), free(s->launches.at), free(s->last), free(s->next.at), free(s->from.at);
}

static void take(void *from, void *to, size_t size) {
    if (to) memcpy(to, from, size);
    free(from);
}

/* Copy what was found to where there is room for it, and forget it; nowhere just forgets it. */
int take_ways(aim *a, double *chances, small *place, small *factor, small *other, whole *first, whole *outcome,
              whole *after, whole *first_outcome) {
    const size_t ways = sizeof(small) * (size_t)a->ways, nodes = sizeof(whole) * (size_t)(a->nodes + 1);
    take(a->chances, chances, sizeof(double) * (size_t)(a->places * a->shooters));
    take(a->place.at, place, ways), take(a->factor[0].at, factor, ways), take(a->factor[1].at, other, ways);
    take(a->outcome.at, outcome, sizeof(whole) * (size_t)(a->outcomes + 1));
    take(a->after.at, after, sizeof(whole) * (size_t)a->outcomes);
    take(a->first, first, nodes), take(a->first_outcome, first_outcome, nodes);
    return 0;
}

/* Find the ways of all targets. Unless it fails, take_ways must follow. */
int find_ways(aim *a) {
    search s = {0};
    a->first = malloc(sizeof(whole) * (size_t)(a->nodes + 1));
    a->first_outcome = malloc(sizeof(whole) * (size_t)(a->nodes + 1));
    int failed = a->first && a->first_outcome ? begin(a, &s) : OUT_OF_MEMORY;
    whole target = 0;
    for (whole node = 0; node < a->nodes && !failed; node++) {
        a->first[node] = a->ways, a->first_outcome[node] = a->after.count;
        if (target < a->targets && a->target[target] == node) failed = find_ways_of(a, &s, a->target[target++]);
    }
    a->outcomes = a->after.count;
    if (!failed) a->first[a->nodes] = a->ways, a->first_outcome[a->nodes] = a->outcomes;
    if (!failed) failed = add(&a->outcome, sizeof(whole), &a->ways);
    if (!failed) failed = fill_table(a, &s);
    end(&s);
    if (failed) take_ways(a, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    return failed;
}
