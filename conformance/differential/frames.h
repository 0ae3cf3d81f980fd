/* Requests and answers as frames: a length in four bytes, little endian, and that many bytes. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A parser that takes longer than this has hung: the process ends and the caller starts another. */
#define SECONDS_MAX 10

struct text {
    char *bytes;
    size_t len, room;
};

static void put(struct text *out, const char *bytes, size_t len)
{
    if (out->len + len > out->room) {
        out->room = 2 * (out->len + len) + 64;
        out->bytes = realloc(out->bytes, out->room);
        if (!out->bytes)
            abort();
    }
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

static void say(struct text *out, const char *words)
{
    put(out, words, strlen(words));
}

/* Replaces the output by a description of the problem. */
static void put_problem(struct text *out, const char *problem)
{
    out->len = 1;
    say(out, problem ? problem : "no reason");
}

/* Writes content in the notation. */
static void put_escaped(struct text *out, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        switch (bytes[i]) {
        case '\\': say(out, "\\\\"); break;
        case '\n': say(out, "\\n"); break;
        case '\r': say(out, "\\r"); break;
        case '\t': say(out, "\\t"); break;
        case '\0': say(out, "\\0"); break;
        case '\b': say(out, "\\b"); break;
        default: put(out, bytes + i, 1);
        }
    }
}

/* Parses `input` and says its events, or of what it does not take, in one line, what is wrong;
   answers whether it was taken. */
static int parse(const char *input, size_t len, struct text *out);

static int get(char *bytes, size_t len)
{
    return fread(bytes, 1, len, stdin) == len;
}

int main(void)
{
    unsigned char head[4];
    struct text out = {0}, in = {0};
    while (get((char *)head, 4)) {
        size_t len = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
        in.len = 0;
        if (len + 1 > in.room) {
            in.room = len + 1;
            in.bytes = realloc(in.bytes, in.room);
        }
        if (!get(in.bytes, len))
            return 1;
        in.bytes[len] = 0;
        out.len = 0;
        put(&out, "?", 1);
        alarm(SECONDS_MAX);
        int taken = parse(in.bytes, len, &out);
        alarm(0);
        out.bytes[0] = taken ? 'T' : 'F';
        for (int i = 0; i < 4; i++)
            putchar(out.len >> 8 * i & 255);
        fwrite(out.bytes, 1, out.len, stdout);
        fflush(stdout);
    }
    return 0;
}
