//! Compares the map in ARCHITECTURE.md with the tree.

use std::fs;
use std::path::{Path, PathBuf};

const MAP: &str = include_str!("../../ARCHITECTURE.md");
const README: &str = include_str!("../../README.md");

#[test]
fn every_path_on_the_map_exists() {
    let paths = named_paths(MAP);
    assert!(paths.len() >= 20, "the map is empty: {paths:?}");
    let missing: Vec<_> = paths.iter().filter(|path| !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what does not exist: {missing:?}");
}

#[test]
fn every_part_of_a_library_is_on_the_map() {
    let named = named_paths(MAP);
    let libraries = folders(&root()).into_iter().filter(|folder| name(folder).starts_with("idem-"));
    for part in libraries.flat_map(|library| folders(&library.join("src"))) {
        let path = from_root(&part);
        assert!(named.contains(&path), "ARCHITECTURE.md does not name `{path}/`");
    }
}

#[test]
fn every_package_is_on_the_map() {
    let named = named_paths(MAP);
    let candidates = folders(&root()).into_iter().flat_map(|folder| {
        let inner = folders(&folder);
        std::iter::once(folder).chain(inner)
    });
    for package in candidates.filter(|folder| folder.join("Cargo.toml").is_file()) {
        let path = from_root(&package);
        let is_named = named.iter().any(|named| Path::new(named).starts_with(&path));
        assert!(is_named, "ARCHITECTURE.md names nothing in `{path}/`");
    }
}

#[test]
fn every_link_to_a_file_of_the_project_leads_somewhere() {
    for (document, text) in [("README.md", README), ("ARCHITECTURE.md", MAP)] {
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            let file = target.split('#').next().unwrap_or(target);
            assert!(root().join(file).exists(), "{document} links to `{target}`");
        }
    }
}

/// The paths in `text`, without a slash at the end: of the words in backticks, and in blocks of
/// code, those with a slash in them, and documents.
fn named_paths(text: &str) -> Vec<String> {
    let code = text.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split([' ', '\n', ',', '(', ')']));
    words
        .filter(|word| word.contains('/') || word.ends_with(".md"))
        .filter(|word| !word.starts_with('/') && word.chars().all(is_of_a_path))
        .map(|word| word.trim_end_matches('/').to_owned())
        .collect()
}

fn is_of_a_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./".contains(c)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn from_root(folder: &Path) -> String {
    let path = folder.strip_prefix(root()).expect("it was found below the root");
    path.to_str().expect("the tree has plain names").to_owned()
}

/// The folders in `folder` that belong to the project.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("the tree can be read").path());
    paths
        .filter(|path| path.is_dir() && name(path) != "target" && !name(path).starts_with('.'))
        .collect()
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("the tree has plain names")
}
