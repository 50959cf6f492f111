/* The forces of both sides of a battle: which there are, what a hit leaves of them, and the laws of their hits. */

#include "battle.h"

struct block {
    block *before;
    size_t used, size;
};

enum { A_BLOCK = 1 << 16 };

void *room_for(arena *from, size_t size) {
    size = (size + 15) / 16 * 16;
    if (!from->last || from->last->used + size > from->last->size) {
        const size_t most = size > A_BLOCK ? size : A_BLOCK;
        block *grown = calloc(1, sizeof(block) + 16 + most);
        if (!grown) {
            from->failed = 1;
            return NULL;
        }
        grown->before = from->last, grown->size = most, from->last = grown;
    }
    char *begin = (char *)from->last + (sizeof(block) + 15) / 16 * 16 + from->last->used;
    from->last->used += size;
    return begin;
}

void give_back(arena *from) {
    while (from->last) {
        block *before = from->last->before;
        free(from->last);
        from->last = before;
    }
}

/* Dice ---------------------------------------------------------------------------------------------------- */

/* Count the dice of some groups of a force by their column. */
void count_dice(const side *s, whole node, whole groups, whole *counts) {
    const whole *active = s->active + node * s->segments;
    whole left[COLUMNS] = {0};
    memset(counts, 0, sizeof(whole) * COLUMNS);
    for (whole at = 0; at < s->segments; at++)
        if (groups >> s->group[at] & 1 && !(s->is[at] & SPARE)) counts[s->column[at]] += active[at] * s->dice[at];
    for (whole pool = 0; pool < s->pools; pool++)
        for (whole at = 0; at < s->segments; at++) left[pool] += s->raised[pool * s->segments + at] * active[at];
    for (const whole *boost = s->boost; boost < s->boost + 4 * s->boosts; boost += 4) {
        whole here = 0;
        for (whole at = 0; at < s->segments; at++)
            if (s->unit[at] == boost[0] && groups >> s->group[at] & 1 && !(s->is[at] & SPARE)) here += active[at];
        const whole pairs = here < left[boost[3]] ? here : left[boost[3]];
        left[boost[3]] -= pairs, counts[boost[1]] -= pairs, counts[boost[2]] += pairs;
    }
}

/* Add dice to a law that has `top` hits at most. */
static whole add_dice(double *law, whole top, whole count, double chance) {
    for (; count > 0; count--, top++) {
        law[top + 1] = law[top] * chance;
        for (whole hits = top; hits > 0; hits--) law[hits] = law[hits] * (1 - chance) + law[hits - 1] * chance;
        law[0] *= 1 - chance;
    }
    return top;
}

/* Fill in the law of the hits of some dice; it is empty before. */
void fill_law(const battle *b, const whole *counts, double *law) {
    if (b->low_luck) {
        const whole faces = b->low_luck;
        whole sum = 0;
        for (whole column = 0; column < COLUMNS; column++) sum += column * counts[column];
        law[sum / faces] = (double)(faces - sum % faces) / (double)faces;
        if (sum % faces) law[sum / faces + 1] = (double)(sum % faces) / (double)faces;
        return;
    }
    whole top = 0;
    law[0] = 1;
    for (whole column = 1; column < COLUMNS; column++) top = add_dice(law, top, counts[column], b->chances[column]);
}

/* Fill in a law by that of fewer dice; tell whether there are no fewer of any column. */
static int grow_law(const battle *b, const whole *counts, const whole *before, const double *known, double *law) {
    whole top = 0;
    for (whole column = 1; column < COLUMNS; column++) {
        if (counts[column] < before[column]) return 0;
        top += before[column];
    }
    if (b->low_luck || !top) return 0;
    memcpy(law, known, sizeof(double) * (size_t)(top + 1));
    for (whole column = 1; column < COLUMNS; column++)
        top = add_dice(law, top, counts[column] - before[column], b->chances[column]);
    return 1;
}

/* Find the laws of the hits of some groups of all forces. */
int find_laws(battle *b, side *s, whole groups) {
    if (s->laws[groups]) return 0;
    whole width = 2, counts[2][COLUMNS] = {{0}};
    for (whole at = 0; at < s->segments; at++)
        if (groups >> s->group[at] & 1 && !(s->is[at] & SPARE)) width += s->units[at] * s->dice[at];
    double *laws = room_for(&b->memory, sizeof(double) * (size_t)(s->nodes * width));
    if (!laws) return OUT_OF_MEMORY;
    for (whole node = 0; node < s->nodes; node++) {
        whole *here = counts[node % 2], *before = counts[(node + 1) % 2];
        double *law = laws + node * width;
        count_dice(s, node, groups, here);
        if (!node || !grow_law(b, here, before, law - width, law)) fill_law(b, here, law);
        b->work += (double)width;
    }
    s->laws[groups] = laws, s->widths[groups] = width;
    return 0;
}

/* Forces -------------------------------------------------------------------------------------------------- */

static int make_nodes(battle *b, side *s, whole nodes) {
    if (nodes > MOST_FORCES) return TOO_LARGE;
    s->nodes = nodes;
    s->active = room_for(&b->memory, sizeof(whole) * (size_t)(nodes * s->segments));
    s->rank = room_for(&b->memory, sizeof(whole) * (size_t)nodes);
    s->has = room_for(&b->memory, sizeof(whole) * (size_t)nodes);
    s->start = room_for(&b->memory, sizeof(whole) * (size_t)s->roots);
    return b->memory.failed ? OUT_OF_MEMORY : 0;
}

/* Note what a force has. */
static void describe(side *s, whole node) {
    const whole *active = s->active + node * s->segments;
    whole counts[COLUMNS], has = 0, units = 0, guns = 0, transports = 0;
    const whole hits[GROUPS] = {HITS_BY_PLANES, HITS_BY_SUBS, HITS};
    for (whole at = 0; at < s->segments; at++) {
        const whole is = s->is[at], group = s->group[at];
        if (!active[at] || is & SPARE) continue;
        has |= (is & SCREENS ? HAS_SCREEN : 0) | (group == SUBS ? HAS_SUBS : group == PLANES ? HAS_PLANES : 0);
        has |= (group != PLANES ? OFFERS_SUBS : 0) | (is & HUNTED || group != SUBS ? OFFERS_PLANES : 0);
        if (s->column[at]) has |= hits[group];
        units += active[at], guns += is & GUN ? active[at] : 0, transports += is & DEFENCELESS ? active[at] : 0;
    }
    for (whole group = 0; group < GROUPS && s->boosts; group++) {
        count_dice(s, node, 1 << group, counts);
        for (whole column = 1; column < COLUMNS; column++) has |= counts[column] ? hits[group] : 0;
    }
    s->has[node] = has | (units && (guns == units || transports == units) ? HELPLESS : 0);
    s->rank[node] = 0;
    for (whole at = 0; at < s->segments; at++) s->rank[node] += active[at];
    if (s->rank[node] > s->most) s->most = s->rank[node];
}

/* Whether hits on one force lead to another, if each takes the next unit. */
static int leads_to(whole segments, const whole *force, const whole *other) {
    whole at = segments - 1;
    while (at >= 0 && force[at] == other[at]) at--;
    if (at >= 0 && other[at] > force[at]) return 0;
    for (at--; at >= 0; at--)
        if (other[at]) return 0;
    return 1;
}

/* The first root of the same fight that stands on the same line. */
static whole head_of(const side *s, whole root) {
    whole head = 0;
    while (head < root && !(s->head[head] == head && s->fight[head] == s->fight[root]
                            && leads_to(s->segments, s->root + head * s->segments, s->root + root * s->segments))) head++;
    return head;
}

/* Find the roots that have a line of their own; return how many nodes these lines have. */
static whole find_heads(side *s) {
    whole nodes = 0;
    for (whole root = 0; root < s->roots; root++) {
        const whole *force = s->root + root * s->segments, head = head_of(s, root);
        s->head[root] = head;
        for (whole at = 0; at < s->segments && head == root; at++) nodes += force[at];
        nodes += head == root;
    }
    return nodes;
}

/* Find the forces of a line, from the weakest to a root. */
static whole fill_line(side *s, const whole *root, whole node) {
    describe(s, node);
    for (whole at = s->segments - 1; at >= 0; at--)
        for (whole unit = 0; unit < root[at]; unit++) {
            whole *active = s->active + ++node * s->segments;
            memcpy(active, active - s->segments, sizeof(whole) * (size_t)s->segments);
            active[at]++;
            describe(s, node);
        }
    return node;
}

/* Find the forces of a side of which each hit takes the next unit: lines on which each root stands, weakest first. */
int find_lines(battle *b, side *s) {
    s->head = room_for(&b->memory, sizeof(whole) * (size_t)s->roots);
    const int failed = s->head ? make_nodes(b, s, find_heads(s)) : OUT_OF_MEMORY;
    if (failed) return failed;
    whole node = 0;
    for (whole root = 0; root < s->roots; root++) {
        const whole *force = s->root + root * s->segments;
        whole rank = 0;
        for (whole at = 0; at < s->segments; at++) rank += force[at];
        const whole own = s->head[root] == root, end = own ? fill_line(s, force, node) : s->start[s->head[root]];
        s->start[root] = end - s->rank[end] + rank;
        if (own) node = end + 1;
    }
    return 0;
}

/* The places of a lattice: how many units of each group are lost, of which the first in the order of loss are. */
typedef struct {
    whole counts[GROUPS], strides[GROUPS], places;
    whole *turn[GROUPS];               /* the place in the order of loss of each unit of a group */
    whole *segment[GROUPS];            /* its segment */
} grid;

static int lay_out(battle *b, const side *s, grid *g) {
    memset(g, 0, sizeof *g);
    for (whole at = 0; at < s->segments; at++) g->counts[s->group[at]] += s->units[at];
    g->places = 1;
    for (whole group = GROUPS - 1; group >= 0; group--) {
        g->strides[group] = g->places, g->places *= g->counts[group] + 1;
        if (g->places > MOST_PLACES) return TOO_LARGE;
        g->turn[group] = room_for(&b->memory, sizeof(whole) * (size_t)(g->counts[group] + 1));
        g->segment[group] = room_for(&b->memory, sizeof(whole) * (size_t)(g->counts[group] + 1));
    }
    if (b->memory.failed) return OUT_OF_MEMORY;
    whole turn = 0, placed[GROUPS] = {0};
    for (whole at = 0; at < s->segments; at++)
        for (whole unit = 0; unit < s->units[at]; unit++) {
            const whole group = s->group[at];
            g->turn[group][placed[group]] = turn++, g->segment[group][placed[group]++] = at;
        }
    return 0;
}

/* The place that a hit leaves: of the groups that it reaches it takes the unit whose turn it is. */
static whole next_place(const grid *g, whole place, whole groups) {
    whole taken = -1, turn = 0;
    for (whole group = 0; group < GROUPS; group++) {
        const whole lost = place / g->strides[group] % (g->counts[group] + 1);
        if (!(groups >> group & 1) || lost == g->counts[group]) continue;
        if (taken < 0 || g->turn[group][lost] < turn) taken = group, turn = g->turn[group][lost];
    }
    return taken < 0 ? place : place + g->strides[taken];
}

static whole rank_of(const grid *g, whole place) {
    whole rank = 0;
    for (whole group = 0; group < GROUPS; group++)
        rank += g->counts[group] - place / g->strides[group] % (g->counts[group] + 1);
    return rank;
}

static const whole REACHED[REACHES] = {EVERYBODY, 1 << SUBS | 1 << OTHERS, 1 << PLANES | 1 << OTHERS};

/* The place of a force, if the first units of each group in the order of loss are those that it lacks. */
static whole place_of(const side *s, const grid *g, const whole *force) {
    whole place = 0;
    for (whole at = 0; at < s->segments; at++) place += g->strides[s->group[at]] * (s->units[at] - force[at]);
    return place;
}

/* Number the places that hits lead to from each root, weakest first; return how many. */
static whole number_places(const side *s, const grid *g, whole reaches, whole *node, whole *first, whole ranks) {
    for (whole place = 0; place < g->places; place++) node[place] = -1;
    for (whole root = 0; root < s->roots; root++) node[place_of(s, g, s->root + root * s->segments)] = 0;
    for (whole place = 0; place < g->places; place++) {
        if (node[place] < 0) continue;
        first[rank_of(g, place) + 1]++;
        for (whole reach = 0; reach < REACHES; reach++)
            if (reaches >> reach & 1) node[next_place(g, place, REACHED[reach])] = 0;
    }
    for (whole rank = 1; rank <= ranks; rank++) first[rank] += first[rank - 1];
    for (whole place = 0; place < g->places; place++)
        if (node[place] == 0) node[place] = first[rank_of(g, place)]++;
    return first[ranks - 1];
}

static void fill_node(side *s, const grid *g, whole place, whole node) {
    whole *active = s->active + node * s->segments;
    memcpy(active, s->units, sizeof(whole) * (size_t)s->segments);
    for (whole group = 0; group < GROUPS; group++)
        for (whole lost = place / g->strides[group] % (g->counts[group] + 1); lost > 0; lost--)
            active[g->segment[group][lost - 1]]--;
    describe(s, node);
}

/* Find the forces of a side at sea: of each group of units those first in the order of loss are lost first. Too much
   for roots of which that is not so. */
int find_forces(battle *b, side *s, const side *other) {
    whole reaches = 1 << ANY, hidden = 0, subs = 0, flies = 0;
    for (whole at = 0; at < s->segments; at++) hidden |= s->group[at] == SUBS && !(s->is[at] & HUNTED);
    for (whole at = 0; at < other->segments; at++)
        subs |= other->group[at] == SUBS, flies |= other->group[at] == PLANES;
    reaches |= (subs ? 1 << SHIPS : 0) | (hidden && flies ? 1 << SURFACE : 0);
    grid g;
    int failed = lay_out(b, s, &g);
    if (failed) return failed;
    const whole ranks = rank_of(&g, 0) + 2;
    whole *node = room_for(&b->memory, sizeof(whole) * (size_t)g.places);
    whole *first = room_for(&b->memory, sizeof(whole) * (size_t)(ranks + 1));
    if (b->memory.failed) return OUT_OF_MEMORY;
    failed = make_nodes(b, s, number_places(s, &g, reaches, node, first, ranks));
    for (whole reach = 0; reach < REACHES && !failed; reach++)
        if (reaches >> reach & 1 && !(s->after[reach] = room_for(&b->memory, sizeof(whole) * (size_t)s->nodes)))
            failed = OUT_OF_MEMORY;
    for (whole place = 0; place < g.places && !failed; place++) {
        if (node[place] < 0) continue;
        fill_node(s, &g, place, node[place]);
        for (whole reach = 0; reach < REACHES; reach++)
            if (s->after[reach]) s->after[reach][node[place]] = node[next_place(&g, place, REACHED[reach])];
    }
    for (whole root = 0; root < s->roots && !failed; root++) {
        const whole *force = s->root + root * s->segments, start = node[place_of(s, &g, force)];
        s->start[root] = start;
        if (memcmp(s->active + start * s->segments, force, sizeof(whole) * (size_t)s->segments)) failed = TOO_LARGE;
    }
    return failed;
}

/* Find the node that each number of hits of a reach leaves of each node. */
int find_taken(battle *b, side *s, whole reach, whole limit) {
    if (!s->hits) s->hits = 1 + (limit < s->most ? limit : s->most);
    if (s->taken[reach]) return 0;
    whole *taken = room_for(&b->memory, sizeof(whole) * (size_t)(s->nodes * s->hits));
    if (!taken) return OUT_OF_MEMORY;
    for (whole node = 0; node < s->nodes; node++) {
        taken[node * s->hits] = node;
        const whole after = s->after[reach][node];
        for (whole hits = 1; hits < s->hits; hits++)
            taken[node * s->hits + hits] = after == node ? node : taken[after * s->hits + hits - 1];
    }
    s->taken[reach] = taken;
    return 0;
}

static int can_hit(whole shooter, whole target) {
    return shooter & HITS || (shooter & HITS_BY_SUBS && target & OFFERS_SUBS)
        || (shooter & HITS_BY_PLANES && (target & OFFERS_PLANES || shooter & HAS_SCREEN));
}

/* Whether two forces fight a round. */
int can_fight(const battle *b, whole row, whole column) {
    const whole ours = b->sides[0].has[row], theirs = b->sides[1].has[column];
    if (!b->sides[0].rank[row] || !b->sides[1].rank[column] || theirs & HELPLESS) return 0;
    return can_hit(ours, theirs) || can_hit(theirs, ours);
}
