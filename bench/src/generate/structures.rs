//! Block collections of many shapes.

use std::fmt::Write as _;

use super::{Random, fill};

/// Generates typical Kubernetes manifests, with about 25 bytes per line.
pub fn kubernetes(size: usize) -> Vec<u8> {
    fill(size, 21, manifest)
}

/// Writes a Kubernetes deployment, up to its containers.
fn manifest(out: &mut String, random: &mut Random) {
    let (name, namespace) = (random.name(), random.word());
    _ = write!(
        out,
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\n  namespace: \
         {namespace}\n  labels:\n    app: {name}\n    tier: {}\nspec:\n  replicas: {}\n  \
         selector:\n    matchLabels:\n      app: {name}\n  template:\n    metadata:\n      \
         labels:\n        app: {name}\n    spec:\n      containers:\n",
        random.word(),
        random.between(1, 9)
    );
    for _ in 0..random.between(1, 3) {
        container(out, random);
    }
}

/// Writes a container of a Kubernetes deployment.
fn container(out: &mut String, random: &mut Random) {
    let (name, image, minor) = (random.name(), random.word(), random.below(40));
    _ = write!(
        out,
        "      - name: {name}\n        image: registry.example.com/{image}:1.{minor}.0\n        \
         ports:\n        - containerPort: {}\n        env:\n",
        random.between(1024, 9999)
    );
    for _ in 0..random.between(1, 6) {
        let (variable, value) = (random.word().to_uppercase(), random.word());
        _ = writeln!(out, "        - name: {variable}\n          value: \"{value}\"");
    }
    _ = write!(
        out,
        "        resources:\n          limits:\n            cpu: {}m\n            memory: {}Mi\n",
        random.between(1, 40) * 50,
        random.between(1, 32) * 64
    );
}

/// Generates chains that are 60 levels deep, with alternating mappings and sequences and a sibling
/// on each level.
pub fn deep(size: usize) -> Vec<u8> {
    const LEVELS: usize = 60;
    fill(size, 22, |out, random| {
        _ = writeln!(out, "- top: {}", random.word());
        for level in 1..LEVELS {
            let indent = level * 2;
            if level % 3 == 0 {
                _ = writeln!(out, "{:indent$}- side: {}", "", random.word());
            } else if level % 3 == 2 {
                _ = writeln!(out, "{:indent$}{}:", "", random.word());
            } else {
                _ = writeln!(out, "{:indent$}down:", "");
            }
        }
        _ = writeln!(out, "{:indent$}end: {}", "", random.word(), indent = LEVELS * 2);
    })
}

/// Generates entries between many comments.
pub fn comments(size: usize) -> Vec<u8> {
    fill(size, 23, |out, random| {
        for _ in 0..random.between(1, 5) {
            let count = random.between(3, 12);
            _ = writeln!(out, "# {}", random.words(count));
        }
        _ = writeln!(out, "- {}: {}  # {}", random.word(), random.word(), random.words(4));
        for _ in 0..random.between(0, 3) {
            _ = writeln!(out, "  # {}: {}", random.word(), random.words(3));
        }
        _ = writeln!(out, "\n  last: {} # {}", random.below(1000), random.words(2));
    })
}

/// Generates documents of 100 records that share a base and refer to scalars of earlier records.
///
/// No alias refers to a node with aliases, so engines that expand them stay linear.
pub fn anchors(size: usize) -> Vec<u8> {
    const RECORDS: u64 = 100;
    let mut number = 0_u64;
    fill(size, 24, |out, random| {
        let here = number % RECORDS;
        if here == 0 {
            _ = writeln!(out, "---\n- &base\n  kind: !local {}", random.word());
        }
        _ = writeln!(out, "- name: !!str {}\n  base: *base", random.name());
        _ = writeln!(out, "  size: &size{here} {}", random.below(1000));
        if here > 0 {
            let (back, other) = (random.below(here), random.below(here));
            _ = writeln!(out, "  sizes: [*size{other}, *size{back}]");
        }
        number += 1;
    })
}

/// Generates a stream of small documents.
pub fn documents(size: usize) -> Vec<u8> {
    fill(size, 25, |out, random| {
        _ = writeln!(out, "---\nid: {}\nname: {}", random.below(100_000), random.name());
        if random.once_in(3) {
            _ = writeln!(out, "tags:\n- {}\n- {}", random.word(), random.word());
        }
        if random.once_in(10) {
            out.push_str("...\n");
        }
    })
}

pub fn crlf(size: usize) -> Vec<u8> {
    let text = String::from_utf8(fill(size, 26, manifest)).expect("manifests are text");
    text.replace('\n', "\r\n").into_bytes()
}

/// Generates words in several scripts, with two, three and four bytes per character.
pub fn unicode(size: usize) -> Vec<u8> {
    const WORDS: &str = "настройка сервис значение περιοχή κατάσταση 设置 服务器 状态 値 \
                         サーバー 설정 상태 größe façade señal 🚀 ⛵️ इकाई";
    let words: Vec<&str> = WORDS.split(' ').collect();
    fill(size, 27, |out, random| {
        let (first, second, third) =
            (random.pick(&words), random.pick(&words), random.pick(&words));
        _ = writeln!(out, "- {first}: {second} {third}\n  name: {}", random.pick(&words));
    })
}
