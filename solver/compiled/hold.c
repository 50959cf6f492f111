/* The best chance to take all targets of a map in a turn and to hold them after it: see solver/conquest/held.py. */

#include "dice.h"

enum { MOST_NUMBERS = 64 };

typedef int16_t armies;

/* The free armies of each place, then the garrison of each target, -1 if it is taken. Those that are not there are 0. */
typedef struct {
    armies n[MOST_NUMBERS];
} moment;

typedef struct {
    whole targets, places;             /* the places: the targets, then the starts */
    whole most_dice;                   /* so many move in after a capture, if they are left */
    whole groups;
    whole most_states, most_work;
    const whole *adjacent;             /* the targets next to each place */
    const whole *onward;               /* the targets into which armies of each place may move at the end */
    const whole *useful;               /* how many armies in each place can be of use once nothing next to it is left */
    const whole *group, *stride;       /* of each target in the tables; without a group it needs no armies */
    const whole *first;                /* where the table of each group begins */
    const double *stands;              /* the tables: the chance that all targets of a group stand, by their armies */
} hold_map;

/* Moments, each with a number, in the order in which they come. */
typedef struct {
    whole room, count;
    int32_t *slots;                    /* numbers by hash, from 1 on; 0 is empty */
    armies *keys;
    double *values;
} store;

typedef struct {
    hold_map map;
    dice_table dice;
    whole width;                       /* of a key */
    store known;                       /* worths of moments without armies that are of no use */
    whole work;
    int failed;
} hold;

static int lowest_of(whole set) { return __builtin_ctzll((uint64_t)set); }

static uint64_t hash_of_moment(const hold *h, const moment *m) {
    uint64_t hash = 0x9E3779B97F4A7C15u, word;
    for (whole k = 0; k < h->width; k += 4) {
        memcpy(&word, m->n + k, sizeof word);
        hash = (hash ^ word) * 0xD6E8FEB86659FD93u, hash ^= hash >> 32;
    }
    return hash;
}

/* The slot of a moment, or the empty one where it belongs. */
static int32_t *slot_of(const hold *h, const store *s, const moment *m) {
    whole at = (whole)(hash_of_moment(h, m) & (uint64_t)(s->room - 1));
    for (; s->slots[at]; at = (at + 1) & (s->room - 1))
        if (!memcmp(s->keys + (s->slots[at] - 1) * h->width, m->n, sizeof(armies) * (size_t)h->width)) break;
    return s->slots + at;
}

static int grow_store(const hold *h, store *s) {
    const whole room = s->room ? 2 * s->room : 1024;
    int32_t *slots = calloc((size_t)room, sizeof(int32_t));
    armies *keys = realloc(s->keys, sizeof(armies) * (size_t)(room / 2 * h->width));
    if (keys) s->keys = keys;
    double *values = realloc(s->values, sizeof(double) * (size_t)(room / 2));
    if (values) s->values = values;
    if (!slots || !keys || !values) return free(slots), OUT_OF_MEMORY;
    free(s->slots);
    s->slots = slots, s->room = room;
    for (whole k = 0; k < s->count; k++) {
        moment m = {{0}};
        memcpy(m.n, s->keys + k * h->width, sizeof(armies) * (size_t)h->width);
        *slot_of(h, s, &m) = (int32_t)(k + 1);
    }
    return 0;
}

static void put_in_store(hold *h, store *s, const moment *m, double value) {
    if (s->count >= h->map.most_states) h->failed = TOO_MUCH_WORK;
    else if (2 * (s->count + 1) > s->room) h->failed = grow_store(h, s);
    if (h->failed) return;
    memcpy(s->keys + s->count * h->width, m->n, sizeof(armies) * (size_t)h->width);
    s->values[s->count] = value;
    *slot_of(h, s, m) = (int32_t)++s->count;
}

static double *find_in_store(const hold *h, const store *s, const moment *m) {
    if (!s->count) return NULL;
    const int32_t number = *slot_of(h, s, m);
    return number ? s->values + number - 1 : NULL;
}

static whole targets_left(const hold *h, const moment *m) {
    whole left = 0;
    for (whole t = 0; t < h->map.targets; t++)
        if (m->n[h->map.places + t] >= 0) left |= (whole)1 << t;
    return left;
}

/* The chance that all stands with these armies. */
static double chance_to_stand(const hold *h, const moment *m) {
    whole at[MOST_NUMBERS];
    double chance = 1.0;
    for (whole g = 0; g < h->map.groups; g++) at[g] = h->map.first[g];
    for (whole t = 0; t < h->map.targets; t++)
        if (h->map.group[t] >= 0) at[h->map.group[t]] += m->n[t] * h->map.stride[t];
    for (whole g = 0; g < h->map.groups; g++) chance *= h->map.stands[at[g]];
    return chance;
}

/* The chance that all stands after the best last move, which is made. */
static double fortify(const hold *h, moment *m) {
    double best = chance_to_stand(h, m);
    moment after = *m;
    for (whole place = 0; place < h->map.places; place++)
        for (whole set = m->n[place] ? h->map.onward[place] : 0; set; set &= set - 1) {
            const whole t = lowest_of(set);
            if (h->map.group[t] < 0) continue;
            moment moved = *m;
            while (moved.n[place]) {
                moved.n[place]--, moved.n[t]++;
                const double chance = chance_to_stand(h, &moved);
                if (chance > best * (1 + 1e-12)) best = chance, after = moved;
            }
        }
    *m = after;
    return best;
}

static double worth_at(hold *h, const moment *m);

/* The best moment after a capture with so many left in a place; its worth. */
static double move_into(hold *h, const moment *m, whole place, whole target, whole left, moment *best) {
    moment after = *m;
    double highest = -1.0;
    after.n[h->map.places + target] = -1;
    for (whole moving = least(h->map.most_dice, left); moving <= left && !h->failed; moving++) {
        after.n[place] = (armies)(left - moving), after.n[target] = (armies)(moving - 1);
        const double worth = worth_at(h, &after);
        if (highest < 0.0 || worth > highest * (1 + 1e-12)) highest = worth, *best = after;
    }
    return highest;
}

/* What a throw may lead to: the moment after it, after the best move if the target falls, and its worth. */
typedef struct {
    double chance, worth;
    moment after;
} result;

/* The law of a throw; a target without a garrison is entered for sure. */
static dice_law law_at(const hold *h, const moment *m, whole place, whole target) {
    static const whole none[2] = {0, 0};
    static const double sure = 1.0;
    const dice_law entered = {1, 1, none, &sure, &sure, 1.0, 0.0};
    const whole garrison = m->n[h->map.places + target];
    return garrison ? law_between(&h->dice, m->n[place], garrison) : entered;
}

static result result_of(hold *h, const moment *m, whole place, whole target, const dice_law *law, whole outcome) {
    const whole left = m->n[place] - law->lost[2 * outcome];
    const whole holds = m->n[h->map.places + target] - law->lost[2 * outcome + 1];
    result found = {law->share[outcome], 0.0, *m};
    if (left && !holds) found.worth = move_into(h, m, place, target, left, &found.after);
    else {
        found.after.n[place] = (armies)left, found.after.n[h->map.places + target] = (armies)holds;
        found.worth = worth_at(h, &found.after);
    }
    return found;
}

static double worth_of_throw_at(hold *h, const moment *m, whole place, whole target) {
    const dice_law law = law_at(h, m, place, target);
    double worth = 0.0;
    for (whole o = 0; o < law.count && !h->failed; o++) {
        const result found = result_of(h, m, place, target, &law, o);
        worth += found.chance * found.worth;
    }
    return worth;
}

/* Find the first throw that none exceeds; return its worth, 0 if there is none. */
static double best_throw_at(hold *h, const moment *m, whole left, whole *from, whole *to) {
    double best = 0.0;
    for (whole place = 0; place < h->map.places; place++)
        for (whole set = m->n[place] ? h->map.adjacent[place] & left : 0; set && !h->failed; set &= set - 1) {
            const double worth = worth_of_throw_at(h, m, place, lowest_of(set));
            if (worth > best * (1 + 1e-12)) best = worth, *from = place, *to = lowest_of(set);
        }
    return best;
}

static double worth_at(hold *h, const moment *m) {
    moment here = *m;
    const whole left = targets_left(h, m);
    whole from, to, near = 0;
    for (whole place = 0; place < h->map.places; place++)
        if (!(h->map.adjacent[place] & left)) here.n[place] = (armies)least(here.n[place], h->map.useful[place]);
        else if (here.n[place]) near = 1;
    if (left && !near) return 0.0;
    if (++h->work > h->map.most_work) h->failed = TOO_MUCH_WORK;
    if (h->failed) return 0.0;
    const double *known = find_in_store(h, &h->known, &here);
    if (known) return *known;
    moment end = here;
    const double worth = left ? best_throw_at(h, &here, left, &from, &to) : fortify(h, &end);
    if (!h->failed) put_in_store(h, &h->known, &here, worth);
    return worth;
}

/* List the moments that best play may come to, each after all that can follow it. */
static void list_moments(hold *h, store *listed, const moment *m) {
    whole from = 0, to = 0;
    if (h->failed || find_in_store(h, listed, m)) return;
    const whole left = targets_left(h, m);
    if (left && best_throw_at(h, m, left, &from, &to) > 0.0) {
        const dice_law law = law_at(h, m, from, to);
        for (whole o = 0; o < law.count && !h->failed; o++) {
            const result found = result_of(h, m, from, to, &law, o);
            list_moments(h, listed, &found.after);
        }
    }
    if (!h->failed) put_in_store(h, listed, m, 0.0);
}

/* Spread the chances of moments over those that follow; count what falls, and the armies once all has fallen. */
static double spread_chances(hold *h, store *listed, double *falls, double *ends, whole most_armies) {
    double everything = 0.0;
    for (whole k = listed->count - 1; k >= 0 && !h->failed; k--) {
        moment m = {{0}};
        const double mass = listed->values[k];
        memcpy(m.n, listed->keys + k * h->width, sizeof(armies) * (size_t)h->width);
        const whole left = targets_left(h, &m);
        whole from = 0, to = 0;
        if (!left) {
            fortify(h, &m), everything += mass;
            for (whole place = 0; place < h->map.places; place++) ends[place * (most_armies + 1) + m.n[place]] += mass;
        } else if (best_throw_at(h, &m, left, &from, &to) > 0.0) {
            const dice_law law = law_at(h, &m, from, to);
            for (whole o = 0; o < law.count && !h->failed; o++) {
                const result found = result_of(h, &m, from, to, &law, o);
                if (found.after.n[h->map.places + to] < 0) falls[to] += mass * found.chance;
                *find_in_store(h, listed, &found.after) += mass * found.chance;
            }
        }
    }
    return everything;
}

static moment read_moment(const hold *h, const whole *fronts, const whole *garrisons) {
    moment m = {{0}};
    for (whole place = 0; place < h->map.places; place++) m.n[place] = (armies)fronts[place];
    for (whole t = 0; t < h->map.targets; t++) m.n[h->map.places + t] = (armies)garrisons[t];
    return m;
}

static void free_store(store *s) { free(s->slots), free(s->keys), free(s->values); }

/* Begin a map; it is given back by `hold_end`. Null if there is no memory. */
hold *hold_begin(const hold_map *map, const dice_table *dice) {
    hold *h = calloc(1, sizeof(hold));
    if (h) h->map = *map, h->dice = *dice, h->width = (map->places + map->targets + 3) & ~(whole)3;
    return h;
}

/* Find the chance to take all from a state and to hold it: see phase_worth. */
int hold_worth(hold *h, const whole *fronts, const whole *garrisons, double *worth) {
    h->work = 0;                       /* each question may take as much */
    const moment m = read_moment(h, fronts, garrisons);
    *worth = h->failed ? 0.0 : worth_at(h, &m);
    return h->failed;
}

/* Follow best play from a state: how often each target falls, how often all do, and the armies in each place then, after
   the last move: [place, armies]. */
int hold_follow(hold *h, const whole *fronts, const whole *garrisons, whole most_armies, double *falls, double *ends,
                double *everything) {
    store listed = {0};
    h->work = 0;
    const moment m = read_moment(h, fronts, garrisons);
    list_moments(h, &listed, &m);
    if (!h->failed) {
        *find_in_store(h, &listed, &m) = 1.0;
        *everything = spread_chances(h, &listed, falls, ends, most_armies);
    }
    free_store(&listed);
    return h->failed;
}

void hold_end(hold *h) { free_store(&h->known), free(h); }
