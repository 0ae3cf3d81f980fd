/* The events of libyaml in the notation of yaml-test-suite. */
#include "frames.h"
#include <yaml.h>

static void say_properties(struct text *out, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor) {
        say(out, " &");
        say(out, (const char *)anchor);
    }
    if (tag) {
        say(out, " <");
        say(out, (const char *)tag);
        say(out, ">");
    }
}

static void say_event(struct text *out, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_STREAM_START_EVENT: say(out, "+STR"); break;
    case YAML_STREAM_END_EVENT: say(out, "-STR"); break;
    case YAML_DOCUMENT_START_EVENT:
        say(out, event->data.document_start.implicit ? "+DOC" : "+DOC ---");
        break;
    case YAML_DOCUMENT_END_EVENT:
        say(out, event->data.document_end.implicit ? "-DOC" : "-DOC ...");
        break;
    case YAML_SEQUENCE_START_EVENT:
        say(out, event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE ? "+SEQ []" : "+SEQ");
        say_properties(out, event->data.sequence_start.anchor, event->data.sequence_start.tag);
        break;
    case YAML_MAPPING_START_EVENT:
        say(out, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE ? "+MAP {}" : "+MAP");
        say_properties(out, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        break;
    case YAML_SEQUENCE_END_EVENT: say(out, "-SEQ"); break;
    case YAML_MAPPING_END_EVENT: say(out, "-MAP"); break;
    case YAML_ALIAS_EVENT:
        say(out, "=ALI *");
        say(out, (const char *)event->data.alias.anchor);
        break;
    case YAML_SCALAR_EVENT:
        say(out, "=VAL");
        say_properties(out, event->data.scalar.anchor, event->data.scalar.tag);
        switch (event->data.scalar.style) {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: say(out, " '"); break;
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: say(out, " \""); break;
        case YAML_LITERAL_SCALAR_STYLE: say(out, " |"); break;
        case YAML_FOLDED_SCALAR_STYLE: say(out, " >"); break;
        default: say(out, " :");
        }
        put_escaped(out, (const char *)event->data.scalar.value, event->data.scalar.length);
        break;
    default: break;
    }
    say(out, "\n");
}

static int parse(const char *input, size_t len, struct text *out)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int at_end = 0;
    if (!yaml_parser_initialize(&parser))
        abort();
    yaml_parser_set_input_string(&parser, (const unsigned char *)input, len);
    while (!at_end && yaml_parser_parse(&parser, &event)) {
        say_event(out, &event);
        at_end = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    if (!at_end)
        put_problem(out, parser.problem);
    yaml_parser_delete(&parser);
    return at_end;
}
