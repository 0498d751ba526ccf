//! Storing, reading, ranges, sessions, pins, collection: the same in SQLite and in files.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop, and touch files")]

mod shelf;

use std::collections::BTreeSet;
use std::io::{self, Read};

use mentci_authority::{ArtifactError, ArtifactId, ArtifactKeeper, ArtifactNote, ArtifactPart, GcPolicy};
use mentci_store::artifact_id;
use proptest::prelude::*;
use proptest::sample::Index;
use shelf::{artifact, both, noise, put};

#[test]
fn store_and_retrieve() {
    for shelf in both() {
        let large = noise(200_000, 7);
        for content in [b"hello".to_vec(), Vec::new(), vec![0; 65_536], vec![b'\n'; 65_537], large] {
            let new = artifact(content.clone(), 1);
            shelf.store.store("s1", std::slice::from_ref(&new)).unwrap();
            let id = new.handle.artifact_id;
            assert_eq!(shelf.store.retrieve(&id).unwrap().unwrap(), content, "{}", shelf.name);
            assert!(shelf.store.exists(&id).unwrap());
            assert_eq!(shelf.again().retrieve(&id).unwrap().unwrap(), content, "{}", shelf.name);
        }
        assert_eq!(shelf.store.retrieve(&artifact_id(b"absent")).unwrap(), None);
        assert!(!shelf.store.exists(&artifact_id(b"absent")).unwrap());
    }
}

#[test]
fn dedup() {
    for shelf in both() {
        let id = put(&*shelf.store, "s1", "the same", 1);
        let again = artifact("the same", 5);
        let mut other = again.clone();
        other.handle.source = "tool:other".into();
        shelf.store.store("s2", &[other.clone(), again]).unwrap();
        let handles = shelf.store.list_handles(None).unwrap();
        assert_eq!(handles.len(), 1, "{}", shelf.name);
        assert_eq!((handles[0].artifact_id, handles[0].created_at), (id, 1.0), "the first says what it is");
        assert_eq!(handles[0].source, "tool:echo");
        assert!(shelf.store.visible("s1", &id).unwrap() && shelf.store.visible("s2", &id).unwrap());
        assert!(!shelf.store.visible("s3", &id).unwrap());
    }
}

#[test]
fn handle_generation() {
    for shelf in both() {
        let new = artifact("some content", 3);
        shelf.store.store("s1", std::slice::from_ref(&new)).unwrap();
        let handle = shelf.store.handle(&new.handle.artifact_id).unwrap().unwrap();
        assert_eq!(handle, new.handle);
        let json = serde_json::to_value(&handle).unwrap();
        let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["artifact_id", "created_at", "mime_type", "size_bytes", "source", "summary"]);
        assert_eq!(json["artifact_id"].as_str().unwrap().len(), 64);
    }
}

#[test]
fn the_artifacts_of_a_session() {
    for shelf in both() {
        let (a, b) = (put(&*shelf.store, "s1", "a", 2), put(&*shelf.store, "s1", "b", 1));
        let c = put(&*shelf.store, "s2", "c", 3);
        let ids = |session| -> Vec<ArtifactId> {
            shelf.store.list_handles(session).unwrap().iter().map(|handle| handle.artifact_id).collect()
        };
        assert_eq!(ids(Some("s1")), [b, a], "the oldest first");
        assert_eq!((ids(Some("s2")), ids(None), ids(Some(""))), (vec![c], vec![b, a, c], vec![]));
        assert!(shelf.store.delete(&a).unwrap());
        assert!(!shelf.store.delete(&a).unwrap());
        assert_eq!((ids(Some("s1")), shelf.store.retrieve(&a).unwrap()), (vec![b], None));
    }
}

#[test]
fn a_batch_is_stored_whole_or_not_at_all() {
    for shelf in both() {
        let mut batch = vec![artifact("good", 1), artifact("bad", 1)];
        batch[1].content = b"changed".to_vec();
        let id = batch[1].handle.artifact_id;
        assert_eq!(shelf.store.store("s1", &batch), Err(ArtifactError::Misnamed(id)));
        assert_eq!(shelf.store.list_handles(None).unwrap(), [], "{}", shelf.name);
        shelf.store.store("s1", &[]).unwrap();
        let batch: Vec<_> = (0..40).map(|n| artifact(format!("content {n}"), n)).collect();
        shelf.store.store("s1", &batch).unwrap();
        assert_eq!(shelf.again().list_handles(Some("s1")).unwrap().len(), 40);
    }
}

/// A content that ends in an error.
struct Broken(usize);

impl Read for Broken {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("the pipe broke"));
        }
        let length = buffer.len().min(self.0);
        buffer[..length].fill(b'x');
        self.0 -= length;
        Ok(length)
    }
}

#[test]
fn a_stream() {
    for shelf in both() {
        let content = noise(300_000, 3);
        let note = ArtifactNote { created_at: 4.0, source: "tool:cat".into(), ..ArtifactNote::default() };
        let handle = shelf.store.store_reader("s1", &note, &mut content.as_slice()).unwrap();
        assert_eq!((handle.artifact_id, handle.size_bytes), (artifact_id(&content), 300_000));
        assert_eq!(shelf.store.handle(&handle.artifact_id).unwrap().as_ref(), Some(&handle));
        // The same content from memory is the same artifact, and the other way round.
        assert_eq!(put(&*shelf.store, "s2", content.clone(), 9), handle.artifact_id);
        let again = shelf.store.store_reader("s3", &note, &mut content.as_slice()).unwrap();
        assert_eq!(again, handle, "{}", shelf.name);
        let mut copied = Vec::new();
        let extent =
            shelf.store.copy(&handle.artifact_id, &ArtifactPart::Whole, &mut copied).unwrap().unwrap();
        assert_eq!((copied, extent.range), (content, 0..300_000));
        let error = shelf.store.store_reader("s1", &note, &mut Broken(100_000)).unwrap_err();
        assert_eq!(error, ArtifactError::Stream("the pipe broke".into()));
        assert_eq!(shelf.store.list_handles(None).unwrap().len(), 1, "nothing of it is left");
        let empty = shelf.store.store_reader("s1", &note, &mut io::empty()).unwrap();
        assert_eq!(shelf.store.retrieve(&empty.artifact_id).unwrap().unwrap(), b"");
    }
}

fn text(store: &dyn ArtifactKeeper, id: &ArtifactId, part: &ArtifactPart) -> Result<String, ArtifactError> {
    store.retrieve_part(id, part).map(|part| String::from_utf8_lossy(&part.unwrap().bytes).into_owned())
}

#[test]
fn parts() {
    for shelf in both() {
        let store = &*shelf.store;
        let id = put(store, "s1", "one\ntwo\nthrée", 1);
        let part = |part: ArtifactPart| text(store, &id, &part);
        assert_eq!(part(ArtifactPart::Bytes(4..7)).unwrap(), "two");
        assert_eq!(part(ArtifactPart::Bytes(8..900)).unwrap(), "thrée");
        assert_eq!(part(ArtifactPart::Bytes(14..14)).unwrap(), "");
        assert_eq!(part(ArtifactPart::Lines(2..=3)).unwrap(), "two\nthrée");
        assert_eq!(part(ArtifactPart::Lines(1..=1)).unwrap(), "one\n");
        assert_eq!(part(ArtifactPart::Lines(3..=40)).unwrap(), "thrée");
        // The é has the bytes 11 and 12.
        assert_eq!(part(ArtifactPart::Text(8..12)).unwrap(), "thr");
        assert_eq!(part(ArtifactPart::Text(12..14)).unwrap(), "ée");
        assert_eq!(store.retrieve_range(&id, 4..7).unwrap().unwrap(), b"two");
        assert_eq!(store.retrieve_range(&artifact_id(b"absent"), 4..7).unwrap(), None);
        let outside = [
            ArtifactPart::Bytes(14..15),
            ArtifactPart::Bytes(15..15),
            #[allow(clippy::reversed_empty_ranges, reason = "that is the case")]
            ArtifactPart::Bytes(5..4),
            ArtifactPart::Text(90..91),
            ArtifactPart::Lines(0..=3),
            ArtifactPart::Lines(4..=4),
            #[allow(clippy::reversed_empty_ranges, reason = "that is the case")]
            ArtifactPart::Lines(3..=2),
        ];
        let said: BTreeSet<String> = outside.map(|outside| part(outside).unwrap_err().to_string()).into();
        assert_eq!(Vec::from_iter(said), ["the artifact has 14 bytes", "the artifact has 3 lines"]);
        let empty = put(store, "s1", "", 1);
        assert_eq!(text(store, &empty, &ArtifactPart::Bytes(0..0)).unwrap(), "");
        assert_eq!(text(store, &empty, &ArtifactPart::Lines(1..=1)), Err(ArtifactError::Lines { lines: 0 }));
    }
}

#[test]
fn what_nothing_keeps_is_collected() {
    for shelf in both() {
        let store = &*shelf.store;
        let old = put(store, "old", "held by an old session", 10);
        let shared = put(store, "old", "held by both", 10);
        put(store, "new", "held by both", 20);
        let pinned = put(store, "old", "pinned", 10);
        let young = put(store, "old", "young", 30);
        assert!(store.pin(&pinned).unwrap());
        assert!(!store.pin(&artifact_id(b"absent")).unwrap());
        assert_eq!(store.pins().unwrap(), [pinned]);

        let policy = GcPolicy { newer_than: Some(30.0), sessions: ["new".to_owned()].into(), is_dry: true };
        let dry = store.gc(&policy).unwrap();
        let ids: Vec<ArtifactId> = dry.deleted.iter().map(|handle| handle.artifact_id).collect();
        assert_eq!((ids, dry.freed_bytes, dry.kept), (vec![old], 22, 3), "{}", shelf.name);
        assert!(store.exists(&old).unwrap(), "only said");
        let policy = GcPolicy { is_dry: false, ..policy };
        assert_eq!(store.gc(&policy).unwrap(), dry);
        assert!(!store.exists(&old).unwrap());
        assert_eq!(store.gc(&policy).unwrap().deleted, []);

        store.unpin(&pinned).unwrap();
        let rest =
            store.gc(&GcPolicy { sessions: ["new".to_owned()].into(), ..GcPolicy::default() }).unwrap();
        let ids: BTreeSet<ArtifactId> = rest.deleted.iter().map(|handle| handle.artifact_id).collect();
        assert_eq!(ids, [pinned, young].into());
        assert_eq!(store.retrieve(&shared).unwrap().unwrap(), b"held by both");
    }
}

#[test]
fn an_id_is_digits_and_nothing_else() {
    let hostile = [
        "../victim",
        "",
        "..",
        "/etc/passwd",
        "AA",
        "%2e%2e%2f",
        "\0",
        "ä",
        "*",
        "../../../../../../../../../../../../../../../../../../etc/passwd",
    ];
    for text in hostile {
        assert!(text.parse::<ArtifactId>().is_err(), "{text}");
    }
    for text in
        ["A".repeat(64), "g".repeat(64), "0".repeat(63), "0".repeat(65), format!("{}/", "0".repeat(63))]
    {
        assert!(text.parse::<ArtifactId>().is_err(), "{text}");
    }
    for shelf in both() {
        // Sessions are names and no paths.
        for session in ["../victim", "a/b", "", "\0", "'; DROP TABLE artifacts; --", "🦀"] {
            let id = put(&*shelf.store, session, "x", 1);
            assert!(shelf.store.visible(session, &id).unwrap(), "{} {session:?}", shelf.name);
        }
        assert_eq!(
            std::fs::read_dir(shelf.folder.path())
                .unwrap()
                .filter(|entry| {
                    let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
                    !name.starts_with("artifacts")
                })
                .count(),
            0
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_come_back_and_ranges_are_slices(
        content in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..300),
            (65_000_usize..140_000, any::<u64>()).prop_map(|(length, seed)| noise(length, seed)),
            "(?s).{0,200}".prop_map(String::into_bytes),
        ],
        places in proptest::collection::vec(any::<(Index, Index)>(), 6),
    ) {
        for shelf in both() {
            let store = &*shelf.store;
            let id = put(store, "s", content.clone(), 1);
            prop_assert_eq!(put(store, "s", content.clone(), 1), id);
            prop_assert_eq!(store.list_handles(Some("s")).unwrap().len(), 1);
            prop_assert_eq!(store.retrieve(&id).unwrap().unwrap(), content.clone());
            let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
            for (a, b) in &places {
                let at = |place: &Index, of: usize| if of == 0 { 0 } else { place.index(of) };
                let (from, to) = (at(a, content.len()), at(b, content.len()));
                let (from, to) = (from.min(to), from.max(to));
                prop_assert_eq!(store.retrieve_range(&id, from as u64..to as u64).unwrap().unwrap(), &content[from..to]);
                if !lines.is_empty() {
                    let (from, to) = (at(a, lines.len()), at(b, lines.len()));
                    let (from, to) = (from.min(to), from.max(to));
                    let part = ArtifactPart::Lines(from as u64 + 1..=to as u64 + 1);
                    let excerpt = store.retrieve_part(&id, &part).unwrap().unwrap();
                    prop_assert_eq!(&excerpt.bytes, &lines[from..=to].concat());
                    let range = excerpt.extent.range;
                    prop_assert_eq!(store.retrieve_range(&id, range).unwrap().unwrap(), excerpt.bytes);
                }
            }
        }
    }

    #[test]
    fn texts_are_never_cut_inside_a_character(content in "(?s)[a-é€🦀\n]{0,80}", cuts in proptest::collection::vec(any::<Index>(), 4)) {
        let [sqlite, fs] = both();
        for shelf in [sqlite, fs] {
            let id = put(&*shelf.store, "s", content.clone(), 1);
            let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(content.len() + 1) as u64).collect();
            cuts.extend([0, content.len() as u64]);
            cuts.sort_unstable();
            let mut together = String::new();
            for pair in cuts.windows(2) {
                let part = shelf.store.retrieve_part(&id, &ArtifactPart::Text(pair[0]..pair[1])).unwrap();
                together.push_str(&String::from_utf8(part.unwrap().bytes).unwrap());
            }
            prop_assert_eq!(&together, &content);
        }
    }
}
