//! The generated code is what the schema gives.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its own files, and runs a compiler that is there"
)]

use std::path::Path;
use std::process::{Command, Stdio};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Without Cap'n Proto's compiler there is nothing to compare with.
#[test]
fn the_generated_code_is_what_the_schema_gives() {
    let schema = Path::new(HERE).join("schema");
    let run = Command::new("capnp")
        .args(["compile", "-o-", "pack.capnp"])
        .current_dir(&schema)
        .stdin(Stdio::null())
        .output();
    let Ok(output) = run else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = tempfile::tempdir().unwrap();
    let mut command = capnpc::codegen::CodeGenerationCommand::new();
    command.output_directory(folder.path()).run(output.stdout.as_slice()).unwrap();
    let given = std::fs::read_to_string(folder.path().join("pack_capnp.rs")).unwrap();
    let own = std::fs::read_to_string(Path::new(HERE).join("src/pack_capnp.rs")).unwrap();
    // The first lines name the versions of the compilers.
    let code = |text: &str| {
        text.lines().filter(|line| !line.starts_with("//")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(
        code(&given) == code(&own),
        "src/pack_capnp.rs is not what schema/pack.capnp gives: generate it with capnpc-rust, and raise the pack's format"
    );
}
