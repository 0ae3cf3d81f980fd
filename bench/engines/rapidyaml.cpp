// rapidyaml, as its authors benchmark it: in place, with a parser, a handler and buffers that are
// reused for all parses, and the event buffer sized by its own estimate before any clock runs.
#include "tally.h"

#include <c4/yml/extra/event_handler_ints.hpp>
#include <c4/yml/event_handler_tree.hpp>
#include <c4/yml/node.hpp>
#include <c4/yml/parse.hpp>
#include <c4/yml/parse_engine.hpp>
#include <c4/yml/tree.hpp>
#include <c4/yml/version.hpp>

#include <deque>
#include <exception>
#include <stdexcept>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace yml = c4::yml;
using yml::extra::EventHandlerInts;
namespace ievt = yml::extra::ievt;

struct Ints
{
    EventHandlerInts handler;
    yml::ParseEngine<EventHandlerInts> parser;
    explicit Ints(yml::ParserOptions options) : handler(), parser(&handler, options) {}
};

struct Trees
{
    yml::EventHandlerTree handler;
    yml::Parser parser;
    // Reused trees, one for each parse between two calls of `clear`.
    std::deque<yml::Tree> trees;
    size_t used = 0;
    Trees() : handler(), parser(&handler), trees() {}
};

struct Bench
{
    yml::ParserOptions options;
    std::vector<ievt::DataType> events;
    std::vector<char> arena;
    std::unique_ptr<Ints> ints;
    std::unique_ptr<Trees> trees;
};

int failed(char *message, size_t capacity, const char *what)
{
    snprintf(message, capacity, "%s", what);
    return 0;
}

[[noreturn]] void raise(c4::csubstr message)
{
    throw std::runtime_error(std::string(message.str, message.len));
}

// rapidyaml's own handlers print and abort; with these, a failed parse returns an error.
void raise_errors()
{
    yml::Callbacks callbacks;
    callbacks.set_error_basic([](c4::csubstr message, yml::ErrorDataBasic const &, void *) { raise(message); });
    callbacks.set_error_parse([](c4::csubstr message, yml::ErrorDataParse const &, void *) { raise(message); });
    callbacks.set_error_visit([](c4::csubstr message, yml::ErrorDataVisit const &, void *) { raise(message); });
    yml::set_callbacks(callbacks);
}

// Runs `work`; an exception becomes a message, and the state that it may have upset is dropped.
template<class Work>
int guarded(Bench *bench, char *message, size_t capacity, Work &&work)
{
    try
    {
        work();
        return 1;
    }
    catch(const std::exception &error)
    {
        bench->ints.reset();
        bench->trees.reset();
        return failed(message, capacity, error.what());
    }
    catch(...)
    {
        bench->ints.reset();
        bench->trees.reset();
        return failed(message, capacity, "unknown exception");
    }
}

void tally_node(tally_t *tally, const yml::Tree &tree, yml::id_type node)
{
    if(tree.has_key(node))
    {
        if(tree.is_key_ref(node))
            ++tally->aliases;
        else
            ++tally->scalars;
    }
    if(tree.is_map(node))
        ++tally->mappings;
    else if(tree.is_seq(node) && !tree.is_stream(node))
        ++tally->sequences;
    else if(tree.has_val(node))
    {
        if(tree.is_val_ref(node))
            ++tally->aliases;
        else
            ++tally->scalars;
    }
}

} // namespace

extern "C" {

const char *bench_rapidyaml_version(void)
{
    return yml::version().str;
}

// Without `filtering`, scalars are spans of the source.
Bench *bench_rapidyaml_new(int filtering)
{
    raise_errors();
    auto *bench = new Bench;
    bench->options.scalar_filtering(filtering != 0);
    return bench;
}

void bench_rapidyaml_delete(Bench *bench) { delete bench; }

// Untimed: makes the buffers big enough for `input`. Trees are new for each input: clearing one
// costs its capacity, not its size, so a small input must not reuse a large tree.
void bench_rapidyaml_prepare(Bench *bench, const char *input, size_t length)
{
    const auto wanted = (size_t)yml::extra::estimate_events_ints_size(c4::csubstr(input, length));
    if(bench->events.size() < wanted + 64)
        bench->events.resize(wanted + 64);
    if(bench->arena.size() < length + 4096)
        bench->arena.resize(length + 4096);
    if(!bench->ints)
        bench->ints.reset(new Ints(bench->options));
    bench->trees.reset(new Trees);
}

int bench_rapidyaml_ints(Bench *bench, char *input, size_t length, uint64_t *size, char *message,
                         size_t capacity)
{
    auto &ints = *bench->ints;
    const int fine = guarded(bench, message, capacity, [&] {
        c4::substr source(input, length);
        ints.handler.reset(source, c4::substr(bench->arena.data(), bench->arena.size()),
                           bench->events.data(), (int32_t)bench->events.size());
        ints.parser.parse_in_place_ev("bench", source);
    });
    if(!fine)
        return 0;
    if(!ints.handler.fits_buffers())
        return failed(message, capacity, "the event buffer is too small");
    *size = (uint64_t)ints.handler.required_size_events();
    return 1;
}

// Untimed: counts the events of the last parse of `input` in the event buffer.
void bench_rapidyaml_ints_tally(const Bench *bench, const char *input, uint64_t size, tally_t *out)
{
    tally_t tally = TALLY_EMPTY;
    const ievt::DataType *events = bench->events.data();
    for(uint64_t i = 0; i < size; ++i)
    {
        const ievt::DataType event = events[i];
        tally.documents += (event & ievt::BDOC) == ievt::BDOC;
        tally.sequences += (event & ievt::BSEQ) == ievt::BSEQ;
        tally.mappings += (event & ievt::BMAP) == ievt::BMAP;
        tally.aliases += (event & ievt::ALIA) != 0;
        if(event & ievt::SCLR)
        {
            const char *base = (event & ievt::AREN) ? bench->arena.data() : input;
            ++tally.scalars;
            tally_text(&tally, base + events[i + 1], (size_t)events[i + 2]);
        }
        if(event & ievt::WSTR)
            i += 2;
    }
    *out = tally;
}

// Untimed: clears the reused trees. Their nodes keep their memory.
void bench_rapidyaml_tree_clear(Bench *bench)
{
    for(size_t i = 0; i < bench->trees->used; ++i)
    {
        bench->trees->trees[i].clear();
        bench->trees->trees[i].clear_arena();
    }
    bench->trees->used = 0;
}

int bench_rapidyaml_tree_reused(Bench *bench, char *input, size_t length, uint64_t *size,
                                char *message, size_t capacity)
{
    return guarded(bench, message, capacity, [&] {
        auto &trees = *bench->trees;
        if(trees.used == trees.trees.size())
            trees.trees.emplace_back();
        yml::Tree &tree = trees.trees[trees.used++];
        yml::parse_in_place(&trees.parser, "bench", c4::substr(input, length), &tree);
        *size = (uint64_t)tree.size();
    });
}

int bench_rapidyaml_tree_fresh(Bench *bench, char *input, size_t length, uint64_t *size,
                               char *message, size_t capacity)
{
    return guarded(bench, message, capacity, [&] {
        yml::Tree tree = yml::parse_in_place(&bench->trees->parser, "bench", c4::substr(input, length));
        *size = (uint64_t)tree.size();
    });
}

// Untimed: counts the nodes of the first reused tree, in document order.
void bench_rapidyaml_tree_tally(const Bench *bench, tally_t *out)
{
    tally_t tally = TALLY_EMPTY;
    const yml::Tree &tree = bench->trees->trees.front();
    yml::id_type node = tree.empty() ? yml::NONE : tree.root_id();
    tally.documents = tree.empty() ? 0 : tree.is_stream(node) ? tree.num_children(node) : 1;
    while(node != yml::NONE)
    {
        if(!tree.is_stream(node))
            tally_node(&tally, tree, node);
        yml::id_type next = tree.first_child(node);
        while(next == yml::NONE && node != yml::NONE)
        {
            next = tree.next_sibling(node);
            node = tree.parent(node);
        }
        node = next;
    }
    *out = tally;
}

} // extern "C"
