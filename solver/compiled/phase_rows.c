/* Where the worths of a turn on a map stand: the rows, and how they are found. See phase.h. */

#include "phase.h"

typedef struct {
    mask left, last;                   /* the targets, and those next to the last front */
    mask others[MOST_FRONTS];          /* for each other front: the targets next to it times MOST_FREE, with its armies */
    armies garrison[MOST_TARGETS];
} sheet_key;

/* Take memory full of zeros; null if there is none. */
static void *take(phase *p, size_t size) {
    void *taken = room_for(&p->memory, size);
    if (!taken) p->failed = OUT_OF_MEMORY;
    return taken;
}

int widen_row(phase *p, row *here, whole count) {
    if (count <= here->room) return 1;
    double *grown = take(p, sizeof(double) * (size_t)count);
    if (!grown) return 0;
    if (here->worth) memcpy(grown, here->worth, sizeof(double) * (size_t)here->room);
    here->worth = grown, here->room = (small)count;
    return 1;
}

/* Write what decides the worths of a sheet, and return the size. Fronts next to the same targets are alike. The lowest
   target's garrison is that of the row. */
static size_t write_key(const phase *p, const state *s, sheet_key *key) {
    const whole end = s->count - 1;
    key->left = s->left, key->last = next_to(p, s, end);
    for (whole i = 0; i < end; i++) {
        const mask mixed = next_to(p, s, i) * MOST_FREE + (mask)s->free[i];
        whole at = i;
        for (; at && key->others[at - 1] > mixed; at--) key->others[at] = key->others[at - 1];
        key->others[at] = mixed;
    }
    char *to = (char *)&key->others[end];
    for (mask t = s->left & (s->left - 1); t; t &= t - 1, to += sizeof(armies))
        memcpy(to, &s->garrison[lowest(t)], sizeof(armies));
    return (size_t)(to - (char *)key);
}

static uint64_t hash_of(const char *key, size_t size) {
    uint64_t hash = size * 0x9E3779B97F4A7C15u;
    for (; size >= 8; size -= 8, key += 8) {
        uint64_t word;
        memcpy(&word, key, 8);
        hash = (hash ^ word) * 0xD6E8FEB86659FD93u, hash ^= hash >> 32;
    }
    uint64_t word = 0;
    memcpy(&word, key, size);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 29;
}

static int grow_table(phase *p) {
    const whole room = p->room ? 2 * p->room : 1024;
    slot *table = calloc((size_t)room, sizeof(slot));
    if (!table) return OUT_OF_MEMORY;
    for (whole r = 0; r < p->room; r++) {
        if (!p->table[r].sheet) continue;
        whole at = (whole)(p->table[r].hash & (uint64_t)(room - 1));
        while (table[at].sheet) at = (at + 1) & (room - 1);
        table[at] = p->table[r];
    }
    free(p->table);
    p->table = table, p->room = room;
    return 0;
}

/* The sheet of a state that is one part, new if it is not there yet. */
static sheet *find_sheet(phase *p, const state *s) {
    sheet_key key;
    const size_t size = write_key(p, s, &key);
    const uint64_t hash = hash_of((char *)&key, size);
    if (2 * (p->sheets + 1) > p->room && (p->failed = grow_table(p))) return NULL;
    whole at = (whole)(hash & (uint64_t)(p->room - 1));
    for (sheet *known; (known = p->table[at].sheet); at = (at + 1) & (p->room - 1))
        if (p->table[at].hash == hash && known->size == size && !memcmp(known->key, &key, size)) return known;
    sheet *new = take(p, sizeof(sheet) + size);
    if (!new) return NULL;
    const whole rows = p->highest[lowest(s->left)] + 1;
    if (!(new->rows = take(p, sizeof(row) * (size_t)rows))) return NULL;
    for (whole g = 0; g < rows; g++) new->rows[g].first = 1;
    new->size = size;
    memcpy(new->key, &key, size);
    p->sheets++;
    p->table[at] = (slot){hash, new};
    return new;
}

row *find_row(phase *p, const state *s) {
    sheet *in = find_sheet(p, s);
    return in ? in->rows + s->garrison[lowest(s->left)] : NULL;
}

/* Whether two targets have the same neighbours, apart from each other, and count the same. */
static int are_twins(const phase *p, whole t, whole u) {
    const mask both = (mask)1 << t | (mask)1 << u, near = (mask)p->map.adjacent[t];
    if (p->map.worth[t] != p->map.worth[u] || ((near ^ (mask)p->map.adjacent[u]) & ~both)) return 0;
    if (near && p->map.leave[t] != p->map.leave[u]) return 0;
    for (whole place = 0; place < p->map.places; place++) {
        const mask next = (mask)p->map.adjacent[place] & both;
        if (place != t && place != u && next && next != both) return 0;
    }
    return 1;
}

void find_twins(phase *p) {
    memcpy(p->highest, p->map.garrison, sizeof(whole) * (size_t)p->map.targets);
    for (whole t = 0; t < p->map.targets; t++)
        for (whole u = t + 1; u < p->map.targets; u++)
            if (are_twins(p, t, u)) {
                p->twins[t] |= (mask)1 << u, p->any_twins = 1;
                p->highest[t] = p->highest[u] = most(p->highest[t], p->highest[u]);
            }
}

static void swap(armies *one, armies *other) {
    const armies first = *one;
    *one = *other, *other = first;
}

void order_targets(const phase *p, state *s) {
    for (whole t = 0; t < p->map.targets; t++)
        for (mask others = p->twins[t]; others; others &= others - 1) {
            const whole u = lowest(others);
            const int has_other = s->left >> u & 1, has = s->left >> t & 1;
            if (!has_other || (has && s->garrison[u] <= s->garrison[t])) continue;
            swap(s->garrison + t, s->garrison + u);
            if (has) continue;
            s->left ^= (mask)1 << t | (mask)1 << u;
            for (whole i = 0; i < s->count; i++)
                if (s->place[i] == t || s->place[i] == u) s->place[i] = (armies)(t + u - s->place[i]);
        }
}

void free_visits(phase *p) {
    for (whole at = 0; at < p->room; at++) {
        sheet *each = p->table[at].sheet;
        const mask left = each ? *(mask *)each->key : 0;
        for (whole g = 0; left && g <= p->highest[lowest(left)]; g++)
            free(each->rows[g].visits), each->rows[g].visits = NULL, each->rows[g].visited = 0;
    }
}

void free_rows(phase *p) {
    free_visits(p);
    give_back(&p->memory);
    free(p->table);
}
