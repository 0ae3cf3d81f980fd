/* libyaml: events by yaml_parser_parse, trees by yaml_parser_load.
 *
 * libyaml always builds the text of a scalar, so its events serve the levels `events` and `decoded`.
 * A parser cannot be reset: its construction and deletion belong to each parse. */
#include "tally.h"
#include <string.h>
#include <yaml.h>

static void describe(const yaml_parser_t *parser, char *message, size_t capacity)
{
    snprintf(message, capacity, "%s at line %zu, column %zu",
             parser->problem ? parser->problem : "unknown problem",
             parser->problem_mark.line + 1, parser->problem_mark.column + 1);
}

const char *bench_libyaml_version(void) { return yaml_get_version_string(); }

/* `with_text` is 0 in timed runs: the hash is for the check only. */
int bench_libyaml_events(const uint8_t *input, size_t length, int with_text, tally_t *out,
                         char *message, size_t capacity)
{
    tally_t tally = TALLY_EMPTY;
    yaml_parser_t parser;
    yaml_event_t event;
    int running = 1, fine = 1;
    if(!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, input, length);
    while(running)
    {
        if(!yaml_parser_parse(&parser, &event))
        {
            describe(&parser, message, capacity);
            fine = 0;
            break;
        }
        switch(event.type)
        {
        case YAML_STREAM_END_EVENT: running = 0; break;
        case YAML_DOCUMENT_START_EVENT: ++tally.documents; break;
        case YAML_SEQUENCE_START_EVENT: ++tally.sequences; break;
        case YAML_MAPPING_START_EVENT: ++tally.mappings; break;
        case YAML_ALIAS_EVENT: ++tally.aliases; break;
        case YAML_SCALAR_EVENT:
            ++tally.scalars;
            if(with_text)
                tally_text(&tally, (const char *)event.data.scalar.value, event.data.scalar.length);
            break;
        default: break;
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    *out = tally;
    return fine;
}

static void tally_tree(tally_t *tally, const yaml_document_t *document)
{
    for(const yaml_node_t *node = document->nodes.start; node < document->nodes.top; ++node)
    {
        tally->sequences += node->type == YAML_SEQUENCE_NODE;
        tally->mappings += node->type == YAML_MAPPING_NODE;
        tally->scalars += node->type == YAML_SCALAR_NODE;
    }
}

int bench_libyaml_tree(const uint8_t *input, size_t length, int with_nodes, tally_t *out,
                       char *message, size_t capacity)
{
    tally_t tally = TALLY_EMPTY;
    yaml_parser_t parser;
    yaml_document_t document;
    int fine = 1;
    if(!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, input, length);
    for(;;)
    {
        if(!yaml_parser_load(&parser, &document))
        {
            describe(&parser, message, capacity);
            fine = 0;
            break;
        }
        int last = yaml_document_get_root_node(&document) == NULL;
        tally.documents += !last;
        if(with_nodes)
            tally_tree(&tally, &document);
        yaml_document_delete(&document);
        if(last)
            break;
    }
    yaml_parser_delete(&parser);
    *out = tally;
    return fine;
}
