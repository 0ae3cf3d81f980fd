# The builtins that are written in jq's language. Only those that a program uses are compiled.

def halt_error: halt_error(5);
def recurse(f): def go: ., (f | go); go;
def recurse: recurse(.[]?);
def recurse(f; condition): def go: ., (f | select(condition) | go); go;
def recurse_down: recurse;
def add(f): reduce f as $x (null; . + $x);
def del(f): delpaths([path(f)]);
def map_values(f): .[] |= f;
def abs: if . < 0 then -. end;
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): _unique_by(map([f]));
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def _key: .key // .Key // .name // .Name;
def from_entries: map({(_key): (if has("value") then .value else .Value end)}) | add // {};
def with_entries(f): . as $in | to_entries | map(f) | from_entries | _made_of($in);
def indices($part):
  if type == "string" and ($part | type) == "string" then _strindices($part)
  elif type == "array" and ($part | type) != "array" then .[[$part]]
  else .[$part]
  end;
def index($part): indices($part) | .[0];
def rindex($part): indices($part) | .[-1:][0];
def isfinite: type == "number" and (isinfinite | not);
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def normals: select(isnormal);
def finites: select(isfinite);
def strings: select(type == "string");
def nulls: select(. == null);
def values: select(. != null);
def scalars: select(type | . != "array" and . != "object");
def paths: path(recurse) | select(length > 0);
def paths(f): path(recurse | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def fromyaml: _fromyaml[];
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def todate: todateiso8601;
def _pattern(f):
  type as $type
  | if $type == "string" then [., null] | f
    elif $type == "array" and length > 1 then [.[0], .[1]] | f
    elif $type == "array" and length > 0 then [.[0], null] | f
    else error($type + " not a string or array")
    end;
def match(pattern; flags): _match(pattern; flags; false) | .[];
def match($pattern): . as $in | $pattern | _pattern(. as [$p, $f] | $in | match($p; $f));
def test(pattern; flags): _match(pattern; flags; true);
def test($pattern): . as $in | $pattern | _pattern(. as [$p, $f] | $in | test($p; $f));
def _named: reduce (.captures[] | select(.name != null)) as $group ({}; .[$group.name] = $group.string);
def capture(pattern; flags): match(pattern; flags) | _named;
def capture($pattern): match($pattern) | _named;
def scan($pattern; $flags):
  match($pattern; "g" + $flags)
  | if (.captures | length) > 0 then [.captures[].string] else .string end;
def scan($pattern): scan($pattern; null);
def splits($pattern; $flags):
  . as $in
  | foreach (match($pattern; $flags + "g"), null) as $match
      ({to: 0}; {from: .to, end: $match.offset, to: (if $match == null then 0 else $match.offset + $match.length end)};
       . as $part | $in[$part.from:$part.end]);
def splits($pattern): splits($pattern; null);
def split($pattern; $flags): [splits($pattern; $flags)];
def sub($pattern; replacement; $flags):
  . as $in
  | [match($pattern; $flags)]
  | if length == 0 then $in
    else . as $matches
      | reduce $matches[] as $match ({parts: [], from: 0};
          $in[.from:$match.offset] as $before
          | [$match | _named | replacement] as $new
          | reduce range($new | length) as $i (.; .parts[$i] += $before + $new[$i])
          | .from = $match.offset + $match.length)
      | .from as $from
      | (.parts[] + $in[$from:]) // $in
    end;
def sub($pattern; replacement): sub($pattern; replacement; "");
def gsub($pattern; replacement; flags): sub($pattern; replacement; flags + "g");
def gsub($pattern; replacement): sub($pattern; replacement; "g");
def while(condition; update): def go: if condition then ., (update | go) else empty end; go;
def until(condition; update): def go: if condition then . else update | go end; go;
def repeat(f): def go: f, go; go;
def limit($count; f):
  if $count < 0 then error("limit doesn't support negative count")
  elif $count == 0 then empty
  else
    label $done
    | foreach f as $value (0; . + 1; if . < $count then $value else $value, break $done end)
  end;
def skip($count; f):
  if $count < 0 then error("skip doesn't support negative count")
  elif $count == 0 then f
  else foreach f as $value (0; . + 1; select(. > $count) | $value)
  end;
def first: .[0];
def last: .[-1];
def last(f): reduce f as $x (null; [$x]) | if . == null then empty else .[0] end;
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
def isempty(f): first((f | false), true);
def all(f; condition): isempty(f | condition and empty);
def any(f; condition): isempty(f | condition or empty) | not;
def all(condition): all(.[]; condition);
def any(condition): any(.[]; condition);
def all: all(.[]; .);
def any: any(.[]; .);
def combinations:
  if length == 0 then []
  else (.[:-1] | combinations) as $start | .[-1][] as $last | $start + [$last]
  end;
def combinations(n): . as $in | [range(n) | $in] | combinations;
def in(container): . as $key | container | has($key);
def inside(container): . as $part | container | contains($part);
def inputs:
  label $end | repeat(try input catch if . == "break" then break $end else error end);
def truncate_stream(stream):
  . as $depth
  | (null | stream)
  | select(.[0] | length > $depth)
  | [.[0][$depth:]] + .[1:];
def fromstream(events):
  foreach events as $event ({};
    ($event[0] | length) as $depth
    | if has("whole") then {} end
    | if ($event | length) == 1 then (if $depth == 1 then .whole = .part end)
      elif $depth == 0 then .whole = $event[1]
      else .part |= setpath($event[0]; $event[1])
      end;
    select(has("whole")) | .whole);
def tostream:
  def events($path):
    if (iterables | length > 0) // false
    then (to_entries[] | .key as $key | .value | events($path + [$key])),
      [$path + [keys_unsorted[-1]]]
    else [$path, .]
    end;
  events([]);
def walk(f):
  def visit: (arrays | map(visit)), (objects | map_values(visit)), scalars | f;
  visit;
def pick(f): . as $in | reduce path(f) as $path (null; setpath($path; $in | getpath($path)));
def debug(message): (message | debug | empty), .;
def INDEX(stream; key): reduce stream as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; stream; key): stream | [., $index[key]];
def JOIN($index; stream; key; join): stream | [., $index[key]] | join;
def IN(stream): any(stream == .; .);
def IN(source; stream): any(source == stream; .);
