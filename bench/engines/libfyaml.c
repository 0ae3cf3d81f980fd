/* libfyaml: events by fy_parser_parse, trees by fy_parse_load_document.
 *
 * The parser is kept and reset for each input. An event's scalar is a token that refers to the
 * input; its text is created on request, so `events` requests none and `decoded` requests all. */
#include "tally.h"
#include <libfyaml.h>
#include <string.h>

/* The first line of the library's message about the last parse, which would otherwise go to stderr. */
static _Thread_local char complaint[256];

static void keep_first_line(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    size_t end = 0;
    (void)diag;
    (void)user;
    if(complaint[0])
        return;
    /* The line begins with the name of the input, which is an address and differs from run to run. */
    while(length && *text == '<')
    {
        const char *after = memchr(text, '>', length);
        size_t skip = after ? (size_t)(after - text) + 2 : length;
        skip = skip < length ? skip : length;
        text += skip;
        length -= skip;
    }
    while(end < length && end + 1 < sizeof complaint && text[end] != '\n')
        ++end;
    memcpy(complaint, text, end);
    complaint[end] = '\0';
}

const char *bench_libfyaml_version(void) { return fy_library_version(); }

struct fy_parser *bench_libfyaml_new(int tree)
{
    struct fy_diag_cfg words;
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_DISABLE_DEPTH_LIMIT};
    struct fy_parser *parser;
    fy_diag_cfg_default(&words);
    words.fp = NULL;
    words.output_fn = keep_first_line;
    words.colorize = false;
    config.diag = fy_diag_create(&words);
    if(tree)
        config.flags |= FYPCF_ALLOW_DUPLICATE_KEYS;
    parser = fy_parser_create(&config);
    fy_diag_unref(config.diag);
    return parser;
}

void bench_libfyaml_delete(struct fy_parser *parser) { fy_parser_destroy(parser); }

static void tally_event(tally_t *tally, struct fy_event *event, int decode, int with_text)
{
    switch(event->type)
    {
    case FYET_DOCUMENT_START: ++tally->documents; break;
    case FYET_SEQUENCE_START: ++tally->sequences; break;
    case FYET_MAPPING_START: ++tally->mappings; break;
    case FYET_ALIAS: ++tally->aliases; break;
    case FYET_SCALAR:
        ++tally->scalars;
        if(decode | with_text)
        {
            size_t length = 0;
            const char *text = fy_token_get_text(event->scalar.value, &length);
            if(with_text)
                tally_text(tally, text, text ? length : 0);
        }
        break;
    default: break;
    }
}

int bench_libfyaml_events(struct fy_parser *parser, const char *input, size_t length, int decode,
                          int with_text, tally_t *out, char *message, size_t capacity)
{
    tally_t tally = TALLY_EMPTY;
    struct fy_event *event;
    int fine;
    complaint[0] = '\0';
    fy_parser_reset(parser);
    if(fy_parser_set_string(parser, input, length))
        return 0;
    while((event = fy_parser_parse(parser)) != NULL)
    {
        tally_event(&tally, event, decode, with_text);
        fy_parser_event_free(parser, event);
    }
    fine = !fy_parser_get_stream_error(parser);
    if(!fine)
        snprintf(message, capacity, "%s", complaint);
    *out = tally;
    return fine;
}

static void tally_node(tally_t *tally, struct fy_node *node);

static void tally_children(tally_t *tally, struct fy_node *node)
{
    void *iterator = NULL;
    struct fy_node *item;
    struct fy_node_pair *pair;
    if(fy_node_is_sequence(node))
    {
        ++tally->sequences;
        while((item = fy_node_sequence_iterate(node, &iterator)) != NULL)
            tally_node(tally, item);
        return;
    }
    ++tally->mappings;
    while((pair = fy_node_mapping_iterate(node, &iterator)) != NULL)
    {
        tally_node(tally, fy_node_pair_key(pair));
        tally_node(tally, fy_node_pair_value(pair));
    }
}

/* An absent key or value is a null node: an empty scalar among the events. */
static void tally_node(tally_t *tally, struct fy_node *node)
{
    if(!node)
        ++tally->scalars;
    else if(fy_node_is_alias(node))
        ++tally->aliases;
    else if(fy_node_is_scalar(node))
        ++tally->scalars;
    else
        tally_children(tally, node);
}

int bench_libfyaml_tree(struct fy_parser *parser, const char *input, size_t length, int with_nodes,
                        tally_t *out, char *message, size_t capacity)
{
    tally_t tally = TALLY_EMPTY;
    struct fy_document *document;
    int fine;
    complaint[0] = '\0';
    fy_parser_reset(parser);
    if(fy_parser_set_string(parser, input, length))
        return 0;
    while((document = fy_parse_load_document(parser)) != NULL)
    {
        ++tally.documents;
        if(with_nodes)
            tally_node(&tally, fy_document_root(document));
        fy_parse_document_destroy(parser, document);
    }
    fine = !fy_parser_get_stream_error(parser);
    if(!fine)
        snprintf(message, capacity, "%s", complaint);
    *out = tally;
    return fine;
}
