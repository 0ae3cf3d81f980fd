/* The events of libfyaml in the notation of yaml-test-suite. */
#include "frames.h"
#include <libfyaml.h>

static void say_token(struct text *out, const char *before, struct fy_token *token, const char *after)
{
    size_t len = 0;
    const char *bytes = token ? fy_token_get_text(token, &len) : NULL;
    if (!bytes)
        return;
    say(out, before);
    put(out, bytes, len);
    say(out, after);
}

static void say_scalar(struct text *out, struct fy_token *token)
{
    size_t len = 0;
    const char *bytes = "";
    switch (token ? fy_token_scalar_style(token) : FYSS_PLAIN) {
    case FYSS_SINGLE_QUOTED: say(out, " '"); break;
    case FYSS_DOUBLE_QUOTED: say(out, " \""); break;
    case FYSS_LITERAL: say(out, " |"); break;
    case FYSS_FOLDED: say(out, " >"); break;
    default: say(out, " :");
    }
    if (token)
        bytes = fy_token_get_text(token, &len);
    if (bytes)
        put_escaped(out, bytes, len);
}

static void say_event(struct text *out, struct fy_event *event)
{
    int is_flow = fy_event_get_node_style(event) == FYNS_FLOW;
    switch (event->type) {
    case FYET_STREAM_START: say(out, "+STR"); break;
    case FYET_STREAM_END: say(out, "-STR"); break;
    case FYET_DOCUMENT_START:
        say(out, fy_document_event_is_implicit(event) ? "+DOC" : "+DOC ---");
        break;
    case FYET_DOCUMENT_END:
        say(out, fy_document_event_is_implicit(event) ? "-DOC" : "-DOC ...");
        break;
    case FYET_SEQUENCE_START:
        say(out, is_flow ? "+SEQ []" : "+SEQ");
        say_token(out, " &", event->sequence_start.anchor, "");
        say_token(out, " <", event->sequence_start.tag, ">");
        break;
    case FYET_MAPPING_START:
        say(out, is_flow ? "+MAP {}" : "+MAP");
        say_token(out, " &", event->mapping_start.anchor, "");
        say_token(out, " <", event->mapping_start.tag, ">");
        break;
    case FYET_SEQUENCE_END: say(out, "-SEQ"); break;
    case FYET_MAPPING_END: say(out, "-MAP"); break;
    case FYET_ALIAS: say_token(out, "=ALI *", event->alias.anchor, ""); break;
    case FYET_SCALAR:
        say(out, "=VAL");
        say_token(out, " &", event->scalar.anchor, "");
        say_token(out, " <", event->scalar.tag, ">");
        say_scalar(out, event->scalar.value);
        break;
    default: return;
    }
    say(out, "\n");
}

/* Creates a receiver that collects diagnostics and prints nothing. */
static struct fy_diag *gathering(void)
{
    struct fy_diag_cfg config;
    struct fy_diag *diag;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    diag = fy_diag_create(&config);
    if (!diag)
        abort();
    fy_diag_set_collect_errors(diag, true);
    return diag;
}

static int parse(const char *input, size_t len, struct text *out)
{
    struct fy_diag *diag = gathering();
    struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2, .diag = diag};
    struct fy_parser *parser = fy_parser_create(&config);
    struct fy_event *event;
    int at_end = 0;
    if (!parser || fy_parser_set_string(parser, input, len))
        abort();
    while ((event = fy_parser_parse(parser)) != NULL) {
        say_event(out, event);
        at_end = event->type == FYET_STREAM_END;
        fy_parser_event_free(parser, event);
    }
    if (!at_end) {
        void *place = NULL;
        struct fy_diag_error *error;
        do
            error = fy_diag_errors_iterate(diag, &place);
        while (error && error->type != FYET_ERROR);
        put_problem(out, error ? error->msg : NULL);
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    return at_end;
}
