/* A whole battle in which every hit takes the next unit: for each pair of lines on which the sides may begin, all
   rounds. See levels.c. */

#include "battle.h"

/* The lines of a side, with room for all hits that the other side can take. */
typedef struct {
    double *laws, *tails, *kills;      /* [node, hits] */
    whole *fewest, *most;
    whole hits;
    double *grid;                      /* room for the cells of a pair of lines, three times */
    whole *places;                     /* 0, 1, and so on */
} lines;

/* Fill in what a front knows of a node from the law of its hits. */
static void fill_line(const battle *b, lines *l, whole node, const double *law, whole width) {
    double *laws = l->laws + node * l->hits, *tails = l->tails + node * l->hits, tail = 0;
    double *kills = l->kills + node * l->hits;
    whole fewest = l->hits - 1, most = 0;
    for (whole hits = width - 1; hits >= 0; hits--) {
        tail += law[hits];
        if (hits >= l->hits) continue;
        laws[hits] = kills[l->hits - 1 - hits] = law[hits], tails[hits] = tail;
        if (law[hits] <= b->least) continue;
        fewest = hits;
        if (hits > most) most = hits;
    }
    l->fewest[node] = fewest, l->most[node] = most;
}

static int find_fronts(battle *b, side *s, const side *other, lines *l) {
    const int failed = find_laws(b, s, EVERYBODY);
    if (failed) return failed;
    l->hits = other->most + 1;
    const size_t size = sizeof(double) * (size_t)(s->nodes * l->hits), numbers = sizeof(whole) * (size_t)s->nodes;
    l->laws = room_for(&b->memory, size), l->tails = room_for(&b->memory, size);
    l->kills = room_for(&b->memory, size);
    l->fewest = room_for(&b->memory, numbers), l->most = room_for(&b->memory, numbers);
    if (b->memory.failed) return OUT_OF_MEMORY;
    const whole width = s->widths[EVERYBODY];
    for (whole node = 0; node < s->nodes; node++)
        fill_line(b, l, node, s->laws[EVERYBODY] + node * width, width);
    return 0;
}

static front front_of(const lines *l, whole first, whole ranks) {
    const whole begin = first * l->hits;
    return (front){1, ranks, l->hits, l->laws + begin, l->tails + begin, NULL, l->fewest + first, l->most + first};
}

/* Put the law of the hits of a force in place of another. */
static void refill(const battle *b, lines *l, whole node, const double *law, whole width) {
    const size_t size = sizeof(double) * (size_t)l->hits;
    memset(l->laws + node * l->hits, 0, size), memset(l->tails + node * l->hits, 0, size);
    memset(l->kills + node * l->hits, 0, size);
    fill_line(b, l, node, law, width);
}

/* One divided by the chance to leave each cell in which there is a fight. */
static void find_shares(const battle *b, const levels *l, whole row, whole column, double *shares) {
    const whole ranks = l->theirs.ranks;
    for (whole rank = 1; rank < l->ours.ranks; rank++)
        for (whole against = 1; against < ranks; against++) {
            const double *lose = l->theirs.laws + against * l->theirs.hits;
            const double leave = l->theirs.tails[against * l->theirs.hits + 1]
                + lose[0] * l->ours.tails[rank * l->ours.hits + 1];
            shares[rank * ranks + against]
                = leave > 0 && can_fight(b, row + rank, column + against) ? 1 / leave : 0;
        }
}

/* Note the cells in which the battle ends, or all if no more rounds are fought. */
static int note_ends(battle *b, const levels *l, const double *grid, const double *shares, whole row, whole column,
                     whole fight) {
    const whole cells = l->ours.ranks * l->theirs.ranks;
    for (whole cell = 0; cell < cells; cell++) {
        if (grid[cell] <= 0 || (shares[cell] > 0 && b->rounds_most < 0)) continue;
        const end here = {row + cell / l->theirs.ranks, column + cell % l->theirs.ranks, grid[cell], fight};
        if (add(&b->ends, sizeof here, &here)) return OUT_OF_MEMORY;
    }
    return 0;
}

/* Fight a round with all that fights on; `begun` is room for it. */
static int fight_round(battle *b, levels *l, double *grid, double *begun, const double *shares) {
    const whole cells = l->ours.ranks * l->theirs.ranks;
    for (whole cell = 0; cell < cells; cell++) {
        begun[cell] = grid[cell] > b->eps && shares[cell] > 0 ? grid[cell] : 0;
        grid[cell] -= begun[cell], b->rounds += begun[cell];
    }
    return spread_levels(l, grid, begun, 1);
}

/* Fight the first round: ships may fire beside the attackers of a root, and nobody retreats before it. */
static int fight_first(battle *b, levels *l, lines *ours, double *grid, double *begun, whole node, whole column) {
    const side *s = b->sides;
    const whole row = (l->ours.ranks - 1) * l->theirs.ranks;
    for (whole against = 1; against < l->theirs.ranks; against++) {
        const int helpless = (b->sides[1].has[column + against] & HELPLESS) != 0;
        const int fights = b->ships ? !helpless : l->shares[row + against] > 0;
        double *here = grid + row + against, *fought = begun + row + against;
        *fought = fights && *here > b->eps ? *here : 0;
        b->rounds += *fought, *here -= *fought;
    }
    if (!b->ships) return spread_levels(l, grid, begun, 1);
    whole counts[COLUMNS], width = 2;
    count_dice(s, node, EVERYBODY, counts);
    for (whole die = 0; die < COLUMNS; die++) counts[die] += b->ships[die], width += counts[die];
    double *law = room_for(&b->memory, sizeof(double) * (size_t)width);
    if (!law) return OUT_OF_MEMORY;
    fill_law(b, counts, law);
    refill(b, ours, node, law, width);
    const int failed = spread_levels(l, grid, begun, 1);
    refill(b, ours, node, s->laws[EVERYBODY] + node * s->widths[EVERYBODY], s->widths[EVERYBODY]);
    return failed;
}

/* Where the attacker retreats nobody fights on. */
static int find_stops(battle *b, levels *l, lines *ours, whole row, whole column, double *shares) {
    const whole ranks = l->ours.ranks, against = l->theirs.ranks;
    choice c;
    double *worth;
    int failed = find_choice(b, row, ranks, column, against, 1, &c, &worth);
    l->ours.nodes = l->theirs.nodes = ours->places;
    if (!failed && b->plan.payoffs) failed = pull_levels(l, worth, b->plan.payoffs, &c, worth);
    for (whole cell = 0; cell < ranks * against && !failed; cell++)
        if (c.stops[cell]) shares[cell] = 0;
    return failed;
}

/* Put the chances of all roots on a line of the defender, against a root of the attacker, where they begin. */
static double place_starts(const battle *b, whole root, whole head, double *row) {
    const side *theirs = b->sides + 1;
    double sum = 0;
    for (whole other = head; other < theirs->roots; other++) {
        if (theirs->head[other] != head) continue;
        const double chance = b->start[root * theirs->roots + other];
        row[theirs->rank[theirs->start[other]]] += chance, sum += chance;
    }
    return sum;
}

static int fight_pair(battle *b, levels *l, lines *ours, whole root, whole head) {
    const whole cells = l->ours.ranks * l->theirs.ranks, last = b->sides[0].start[root];
    const whole row = last - l->ours.ranks + 1, column = b->sides[1].start[head] - l->theirs.ranks + 1;
    double *grid = ours->grid, *shares = grid + cells, *begun = shares + cells;
    memset(grid, 0, 3 * sizeof(double) * (size_t)cells);
    if (place_starts(b, root, head, grid + cells - l->theirs.ranks) == 0) return 0;
    const int alone = b->ships || b->plan.there;
    whole rounds = b->rounds_most - alone;
    find_shares(b, l, row, column, shares);
    l->shares = shares, l->eps = b->eps, l->least = A_TRIFLE * b->eps;
    l->work = b->work, l->most_work = b->most_work;
    int failed = 0;
    if (alone) failed = fight_first(b, l, ours, grid, begun, last, column);
    if (!failed && b->plan.there) failed = find_stops(b, l, ours, row, column, shares);
    if (!failed && b->rounds_most < 0) failed = push_levels(l, grid, 1, &b->rounds);
    for (; b->rounds_most >= 0 && rounds > 0 && !failed; rounds--) failed = fight_round(b, l, grid, begun, shares);
    b->work = l->work;
    return failed ? failed : note_ends(b, l, grid, shares, row, column, b->sides[1].fight[head]);
}

static int fight_pairs(battle *b, void *cells) {
    const side *ours = b->sides, *theirs = b->sides + 1;
    lines *fronts = cells;
    int failed = 0;
    for (whole root = 0; root < ours->roots; root++)
        for (whole other = 0; other < theirs->roots && !failed; other++) {
            if (theirs->head[other] != other) continue;
            const whole ranks = ours->rank[ours->start[root]] + 1, against = theirs->rank[theirs->start[other]] + 1;
            const whole row = ours->start[root] - ranks + 1, column = theirs->start[other] - against + 1;
            levels l = {front_of(fronts, row, ranks), front_of(fronts + 1, column, against)};
            l.kills = fronts[0].kills + row * fronts[0].hits;
            failed = fight_pair(b, &l, fronts, root, other);
        }
    return failed;
}

/* Fight to the end on the lines of every pair of roots. */
int fight_on_lines(battle *b) {
    side *ours = b->sides, *theirs = b->sides + 1;
    lines fronts[2];
    int failed = find_fronts(b, ours, theirs, fronts);
    if (!failed) failed = find_fronts(b, theirs, ours, fronts + 1);
    if (failed) return failed;
    fronts->grid = room_for(&b->memory, 3 * sizeof(double) * (size_t)((ours->most + 1) * (theirs->most + 1)));
    const whole most = (ours->most > theirs->most ? ours->most : theirs->most) + 1;
    fronts->places = room_for(&b->memory, sizeof(whole) * (size_t)most);
    if (b->memory.failed) return OUT_OF_MEMORY;
    for (whole place = 0; place < most; place++) fronts->places[place] = place;
    return fight_all(b, fight_pairs, fronts);
}
