//! Random values of random schemas, which are converted to YAML and JSON and back, result in the
//! same bytes. `KETCH_TYPED_SCHEMAS` sets the number of schemas.

#[path = "../../crates/ketch-extprot/tests/support/random.rs"]
mod random;

use ketch::typed::{Constructors, TypedReader, write};
use ketch::{Encoder, Item, JsonSink, Problem, Sink, YamlSink};
use ketch_extprot::schema::{NoLoader, Schema, TypeId, check_schema};
use ketch_extprot::{Limits, Typed};
use ketch_yaml::Documents;
use random::{Body, Random, random_body, random_types, random_value, show};

fn read(schema: &Schema, id: TypeId, text: &[u8]) -> Result<Vec<u8>, String> {
    let document = Documents::new(text).next().ok_or("no document")?;
    let document = document.map_err(|error| error.to_string())?;
    let reader = TypedReader::new(schema, id, &Default::default());
    let value = reader.read(&document).map_err(|error| error.to_string())?;
    schema.encode(id, &value).map_err(|error| error.to_string())
}

fn try_value(schema: &Schema, id: TypeId, value: &Typed<'_>) -> Result<(), String> {
    let bytes = schema.encode(id, value).map_err(|error| error.to_string())?;
    let send = |constructors, sink: &mut dyn FnMut(Item<'_>) -> Result<(), Problem>| {
        write(schema, id, value, constructors, &Limits::default(), &mut Through(sink))
            .map_err(|problem| problem.to_string())
    };
    let mut yaml = YamlSink::new(&Default::default()).with_scalar_tags(true);
    send(Constructors::Tags, &mut |item| yaml.item(item))?;
    let yaml = yaml.end_document().map_err(|problem| problem.to_string())?.to_vec();
    let again = read(schema, id, &yaml)?;
    if again != bytes {
        return Err(format!("{}\n{bytes:02x?}\n{again:02x?}", String::from_utf8_lossy(&yaml)));
    }
    // The items have to be a value of the data model as well.
    let mut encoder = Encoder::new(&Default::default());
    send(Constructors::Mappings, &mut |item| encoder.item(item))?;
    encoder.bytes().map_err(|error| error.to_string())?;
    let mut json = JsonSink::new(&Default::default());
    send(Constructors::Mappings, &mut |item| json.item(item))?;
    let again = read(schema, id, json.text())?;
    if again != bytes {
        return Err(format!("{}", String::from_utf8_lossy(json.text())));
    }
    Ok(())
}

struct Through<'s>(&'s mut dyn FnMut(Item<'_>) -> Result<(), Problem>);

impl Sink for Through<'_> {
    fn item(&mut self, item: Item<'_>) -> Result<(), Problem> {
        (self.0)(item)
    }
}

#[test]
fn random_values_of_random_schemas_convert_both_ways() {
    let wanted = std::env::var("KETCH_TYPED_SCHEMAS").ok().and_then(|n| n.parse().ok());
    let wanted: usize = wanted.unwrap_or(5000);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut schemas = 0;
    while schemas < wanted {
        let mut bodies = Vec::new();
        for names in 0..1 + random.below(4) {
            bodies.push(random_body(&mut random, names));
        }
        let names = bodies.len();
        bodies.push(Body::Message(random_types(&mut random, names, 1)));
        let text = show(&bodies);
        // Some of the texts are not schemas: they contain a union as an alias of nothing, or a case
        // that is not a record.
        let Ok(schema) = check_schema("random.proto", &text, &mut NoLoader) else { continue };
        let id = schema.lookup(&format!("d{names}")).expect("the last one is a message");
        schemas += 1;
        for _ in 0..4 {
            let value = random_value(&mut random, &schema, id);
            try_value(&schema, id, &value)
                .unwrap_or_else(|error| panic!("{error}\n--- {value:?}\n--- {text}"));
        }
    }
}
