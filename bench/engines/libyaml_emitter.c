/* libyaml's emitter, as Debian builds it, which reads from a prepared list of steps. */
#include <stdint.h>
#include <string.h>
#include <yaml.h>

/* The layout of `Step` in `emitter.rs`. */
typedef struct
{
    uint32_t kind;
    uint32_t length;
    const uint8_t *text;
} step_t;

enum { DOCUMENT, DOCUMENT_END, SEQUENCE, SEQUENCE_END, MAPPING, MAPPING_END, PLAIN, QUOTED };

typedef struct
{
    uint8_t *bytes;
    size_t length, capacity;
} buffer_t;

/* The buffer is as large as the text will be: the caller has measured it. */
static int write_to(void *data, unsigned char *bytes, size_t size)
{
    buffer_t *out = data;
    if(out->length + size > out->capacity)
        return 0;
    memcpy(out->bytes + out->length, bytes, size);
    out->length += size;
    return 1;
}

static int make(yaml_event_t *event, const step_t *step)
{
    switch(step->kind)
    {
    case DOCUMENT: return yaml_document_start_event_initialize(event, NULL, NULL, NULL, 0);
    case DOCUMENT_END: return yaml_document_end_event_initialize(event, 1);
    case SEQUENCE:
        return yaml_sequence_start_event_initialize(event, NULL, NULL, 1, YAML_ANY_SEQUENCE_STYLE);
    case SEQUENCE_END: return yaml_sequence_end_event_initialize(event);
    case MAPPING:
        return yaml_mapping_start_event_initialize(event, NULL, NULL, 1, YAML_ANY_MAPPING_STYLE);
    case MAPPING_END: return yaml_mapping_end_event_initialize(event);
    default:
        return yaml_scalar_event_initialize(
            event, NULL, NULL, step->text, (int)step->length, step->kind == PLAIN, 1,
            step->kind == PLAIN ? YAML_ANY_SCALAR_STYLE : YAML_SINGLE_QUOTED_SCALAR_STYLE);
    }
}

/* Returns the number of bytes written, or -1. */
int64_t bench_emit(const step_t *steps, size_t count, uint8_t *bytes, size_t capacity)
{
    buffer_t out = {bytes, 0, capacity};
    yaml_emitter_t emitter;
    yaml_event_t event;
    if(!yaml_emitter_initialize(&emitter))
        return -1;
    yaml_emitter_set_output(&emitter, write_to, &out);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    int fine = yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)
        && yaml_emitter_emit(&emitter, &event);
    for(size_t i = 0; fine && i < count; ++i)
        fine = make(&event, &steps[i]) && yaml_emitter_emit(&emitter, &event);
    fine = fine && yaml_stream_end_event_initialize(&event) && yaml_emitter_emit(&emitter, &event);
    fine = fine && yaml_emitter_flush(&emitter);
    yaml_emitter_delete(&emitter);
    return fine ? (int64_t)out.length : -1;
}
