//! `Ketch.edit`: editing sessions, and views of the collections in their text.
//!
//! Ruby refers to a view by its number in the session (see `ketch_host::edit`); lib/ketch/edit.rb
//! wraps this number and provides the methods.

mod file;
mod held;
mod operations;
mod value;

use crate::guard::{function, method};
use crate::load::Source;
use crate::memory::Lease;
use crate::options::source_and_options;
use held::{Held, held};
use ketch_edit::{patches_to_lsp, unified_diff};
use ketch_host::edit::{Child, Reading, View};
use ketch_host::nodes;
use magnus::{Error, RArray, RHash, RString, Ruby, TypedData, Value, prelude::*, typed_data::Obj};

/// Implements `Ketch.define_edit`: defines `Ketch::Edit`. lib/ketch/edit.rb, which programs that edit
/// nothing do not load, calls this.
pub fn define(ruby: &Ruby) -> Result<(), Error> {
    let ketch = ruby.define_module("Ketch")?;
    let class = ketch.define_class("Edit", ruby.class_object())?;
    class.undef_default_alloc_func();
    // Looked up now, since an interrupt during a later lookup would cause a panic.
    <Held as TypedData>::class(ruby);
    class.define_singleton_method("of_text", function!(of_text, -1))?;
    class.define_singleton_method("of_file", function!(file::of_file, 2))?;
    class.define_method("document_count", method!(document_count, 0))?;
    class.define_method("text", method!(text, 0))?;
    class.define_method("original", method!(original, 0))?;
    class.define_method("bytes", method!(bytes, 0))?;
    class.define_method("changed?", method!(is_changed, 0))?;
    class.define_method("replace_file", method!(file::save, 1))?;
    class.define_method("patch_list", method!(patch_list, 1))?;
    class.define_method("lsp_text", method!(lsp_text, 0))?;
    class.define_method("diff_text", method!(diff_text, 2))?;
    class.define_method("root_view", method!(root_view, 1))?;
    class.define_method("view_child", method!(view_child, 3))?;
    class.define_method("view_kind", method!(view_kind, 1))?;
    class.define_method("view_count", method!(view_count, 1))?;
    class.define_method("view_value", method!(view_value, 2))?;
    class.define_method("view_entries", method!(view_entries, 1))?;
    class.define_method("view_path", method!(view_path, 1))?;
    class.define_method("node_facts", method!(node_facts, 2))?;
    class.define_method("node_comments", method!(node_comments, 2))?;
    class.define_method("operate", method!(operations::operate, 1))?;
    class.define_method("operate_source", method!(operations::operate_source, 1))?;
    Ok(())
}

/// Implements `Ketch::Edit.of_text(source, **options)`: starts an editing session for a text.
fn of_text(ruby: &Ruby, arguments: &[Value]) -> Result<Obj<Held>, Error> {
    let (source, options) = source_and_options(ruby, arguments)?;
    let lease = Lease::take(ruby)?;
    let source = Source::read(ruby, source, &lease)?;
    let bytes = source.bytes().to_vec();
    held(ruby, bytes, options, None)
}

fn document_count(ruby: &Ruby, held: &Held) -> Result<usize, Error> {
    let count = held.session(ruby)?.document_count();
    count.map_err(|refusal| held.refused(ruby, refusal))
}

/// Returns the text with all edits, in UTF-8.
fn text(ruby: &Ruby, held: &Held) -> Result<RString, Error> {
    Ok(ruby.str_new(held.session(ruby)?.edit().text()))
}

fn original(ruby: &Ruby, held: &Held) -> Result<RString, Error> {
    Ok(ruby.str_new(held.session(ruby)?.edit().original()))
}

/// Returns the text with all edits, in the encoding that the original bytes have.
fn bytes(ruby: &Ruby, held: &Held) -> Result<RString, Error> {
    Ok(ruby.str_from_slice(&held.session(ruby)?.edit().to_bytes()))
}

fn is_changed(ruby: &Ruby, held: &Held) -> Result<bool, Error> {
    Ok(held.session(ruby)?.edit().is_changed())
}

/// Returns the patches or, if `inverse` is true, the patches that undo them. Each is an array of
/// its start, its end and its new text.
fn patch_list(ruby: &Ruby, held: &Held, inverse: bool) -> Result<RArray, Error> {
    let session = held.session(ruby)?;
    let edit = session.edit();
    let patches = if inverse { edit.inverse() } else { edit.patches() };
    drop(session);
    let list = ruby.ary_new();
    for patch in patches {
        list.push((patch.at.start, patch.at.end, patch.new))?;
    }
    Ok(list)
}

fn lsp_text(ruby: &Ruby, held: &Held) -> Result<String, Error> {
    let session = held.session(ruby)?;
    Ok(patches_to_lsp(session.edit().original(), &session.edit().patches()))
}

fn diff_text(ruby: &Ruby, held: &Held, old: String, new: String) -> Result<String, Error> {
    let session = held.session(ruby)?;
    Ok(unified_diff(session.edit().original(), &session.edit().patches(), &old, &new))
}

fn root_view(ruby: &Ruby, held: &Held, doc: usize) -> Result<u32, Error> {
    Ok(held.session(ruby)?.root(doc).0)
}

/// Returns the entry of a view at `key`, in the form that [`answer`] describes.
fn view_child(
    ruby: &Ruby,
    held: Obj<Held>,
    view: u32,
    key: Value,
    missing: Value,
) -> Result<Value, Error> {
    let view = View(view);
    let _reserve = held.reserve_late(ruby)?;
    let step = held.step(ruby, view, key)?;
    let child = held.session(ruby)?.child(view, step);
    let child = child.map_err(|refusal| held.refused(ruby, refusal))?;
    answer(ruby, &held, child, missing)
}

/// Converts a child of a view for Ruby: a scalar to its value, and a collection to an array of two
/// elements (whether it is a mapping, and the number of its view). If there is no child, returns
/// `missing`.
fn answer(ruby: &Ruby, held: &Held, child: Child, missing: Value) -> Result<Value, Error> {
    let view = |is_mapping: bool, view: View| {
        let pair = ruby.ary_new_capa(2);
        pair.push(is_mapping)?;
        pair.push(view.0)?;
        Ok(pair.as_value())
    };
    match child {
        Child::Missing => Ok(missing),
        Child::Mapping(of) => view(true, of),
        Child::Sequence(of) => view(false, of),
        Child::Scalar(reading) => held.value(ruby, &reading),
    }
}

/// Returns `:mapping`, `:sequence` or `:scalar`, or nil if the view has no node.
fn view_kind(ruby: &Ruby, held: &Held, view: u32) -> Result<Value, Error> {
    let child = held.session(ruby)?.look(View(view));
    Ok(match child.map_err(|refusal| held.refused(ruby, refusal))? {
        Child::Missing => ruby.qnil().as_value(),
        Child::Mapping(_) => ruby.to_symbol("mapping").as_value(),
        Child::Sequence(_) => ruby.to_symbol("sequence").as_value(),
        Child::Scalar(_) => ruby.to_symbol("scalar").as_value(),
    })
}

fn view_count(ruby: &Ruby, held: &Held, view: u32) -> Result<usize, Error> {
    let count = held.session(ruby)?.count(View(view));
    count.map_err(|refusal| held.refused(ruby, refusal))
}

/// Returns the value of a view or, if `key` is not empty, of the entry at the key that it contains;
/// nil if there is no such node.
fn view_value(ruby: &Ruby, held: Obj<Held>, view: u32, key: RArray) -> Result<Value, Error> {
    let reading = read(ruby, &held, view, key)?;
    match reading {
        Some(reading) => held.value(ruby, &reading),
        None => Ok(ruby.qnil().as_value()),
    }
}

/// Composes the node of a view or, if `key` is not empty, of the entry at the key that it contains.
/// Returns `None` if there is no such node.
fn read(ruby: &Ruby, held: &Held, view: u32, key: RArray) -> Result<Option<Reading>, Error> {
    let _reserve = held.reserve(ruby)?;
    let view = View(view);
    let step = match key.is_empty() {
        true => None,
        false => Some(held.step(ruby, view, key.entry(0)?)?),
    };
    let reading = held.session(ruby)?.read(view, step);
    reading.map_err(|refusal| held.refused(ruby, refusal))
}

/// Returns an array of the keys and entries of a mapping, alternating, or of the items of a
/// sequence. Entries and items have the form that [`answer`] describes.
fn view_entries(ruby: &Ruby, held: Obj<Held>, view: u32) -> Result<RArray, Error> {
    let _reserve = held.reserve(ruby)?;
    let entries = held.session(ruby)?.entries(View(view));
    let entries = entries.map_err(|refusal| held.refused(ruby, refusal))?;
    let list = ruby.ary_new_capa(entries.len());
    for (key, child) in entries {
        if let Some(key) = key {
            list.push(held.value(ruby, &key)?)?;
        }
        list.push(answer(ruby, &held, child, ruby.qnil().as_value())?)?;
    }
    Ok(list)
}

/// Returns the path of a view as text.
fn view_path(ruby: &Ruby, held: &Held, view: u32) -> Result<String, Error> {
    let place = held.session(ruby)?.place(View(view));
    let place = place.map_err(|refusal| held.refused(ruby, refusal))?;
    Ok(place.path().to_string())
}

/// Returns the kind, style, tag and anchor of a view's node or, if `key` is not empty, of the entry
/// at the key that it contains. An alias is described as an alias. Returns nil if there is no such
/// node.
fn node_facts(
    ruby: &Ruby,
    held: Obj<Held>,
    view: u32,
    key: RArray,
) -> Result<Option<RHash>, Error> {
    let Some(reading) = read(ruby, &held, view, key)? else { return Ok(None) };
    let facts = ruby.hash_new();
    for (name, fact) in nodes::facts(reading.written()) {
        match (name, fact) {
            ("kind" | "style", Some(word)) => {
                facts.aset(ruby.to_symbol(name), ruby.to_symbol(word))?;
            }
            _ => facts.aset(ruby.to_symbol(name), fact)?,
        }
    }
    Ok(Some(facts))
}

/// Returns the comments before and after an entry or, if `key` is empty, those of the view itself.
fn node_comments(
    ruby: &Ruby,
    held: &Held,
    view: u32,
    key: RArray,
) -> Result<(Option<String>, Option<String>), Error> {
    let view = View(view);
    let step = match key.is_empty() {
        true => None,
        false => Some(held.step(ruby, view, key.entry(0)?)?),
    };
    let comments = held.session(ruby)?.comments(view, step);
    let comments = comments.map_err(|refusal| held.refused(ruby, refusal))?;
    Ok((comments.leading, comments.trailing))
}
