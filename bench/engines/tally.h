/* The counts of one parse; the C side of `Tally` in mod.rs. Fields and hash must stay the same there. */
#ifndef KETCH_BENCH_TALLY_H
#define KETCH_BENCH_TALLY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    uint64_t documents, sequences, mappings, scalars, aliases;
    /* FNV-1a over every scalar's text, each followed by the byte 0xFF (never part of UTF-8). */
    uint64_t text;
} tally_t;

/* The readable bytes after each input; `PADDING` in mod.rs. */
#define TALLY_PADDING 64

#define TALLY_EMPTY {0, 0, 0, 0, 0, UINT64_C(0xcbf29ce484222325)}

static inline uint64_t tally_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static inline void tally_text(tally_t *tally, const char *text, size_t length)
{
    uint64_t hash = tally->text;
    for(size_t i = 0; i < length; ++i)
        hash = tally_byte(hash, (uint8_t)text[i]);
    tally->text = tally_byte(hash, 0xFF);
}

#endif
