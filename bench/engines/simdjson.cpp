// simdjson's tree of a JSON text, its tape, with all numbers and strings converted. One parser is
// used for all inputs, as its authors advise.
#include "tally.h"

#include <simdjson.h>

using namespace simdjson;

namespace {

// The parser never gives memory back, so it is the same for all inputs.
dom::parser parser;

void count(tally_t *out, dom::element element)
{
    dom::object object;
    dom::array array;
    if(!element.get(object))
    {
        ++out->mappings;
        for(auto field : object)
        {
            ++out->scalars;
            count(out, field.value);
        }
    }
    else if(!element.get(array))
    {
        ++out->sequences;
        for(auto item : array)
            count(out, item);
    }
    else
        ++out->scalars;
}

} // namespace

extern "C" {

const char *bench_simdjson_version(void) { return SIMDJSON_VERSION; }

// Parses `input`, after which `SIMDJSON_PADDING` bytes can be read. If `walk`, counts all nodes.
int bench_simdjson_tree(const uint8_t *input, size_t length, int walk, tally_t *out, char *message,
                        size_t capacity)
{
    static_assert(SIMDJSON_PADDING <= TALLY_PADDING, "inputs have too little padding");
    *out = TALLY_EMPTY;
    dom::element root;
    if(const auto error = parser.parse(input, length, false).get(root))
    {
        snprintf(message, capacity, "%s", error_message(error));
        return 0;
    }
    out->documents = 1;
    if(walk)
        count(out, root);
    return 1;
}

} // extern "C"
