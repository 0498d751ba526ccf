//! A file system that fails on purpose.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::fs::Wanted;
use crate::{Entry, Fs, RealFs, Stamp, Stat, Twice};

/// What goes wrong, and when. Calls count from 1; only the mutating ones count.
#[derive(Debug, Clone, Copy, Default)]
pub enum Plan {
    /// Nothing: calls are only counted.
    #[default]
    None,
    /// The nth mutating call fails with this kind and does nothing; those after it work.
    Fail(usize, io::ErrorKind),
    /// Every mutating call from the nth on fails with this kind, as on a full disk.
    FailFrom(usize, io::ErrorKind),
    /// The process dies before the nth mutating call: a write leaves half of its bytes, and no later call does anything.
    Crash(usize),
}

/// An [`Fs`] that wraps another one, counts its mutating calls and fails as planned. For tests.
///
/// ```
/// use mentci_disk::{FaultyFs, Fs, Plan};
/// use std::io::ErrorKind::StorageFull;
/// let fs = FaultyFs::new(Plan::Fail(1, StorageFull));
/// let path = std::env::temp_dir();
/// assert_eq!(fs.sync(&path).unwrap_err().kind(), StorageFull);
/// assert_eq!(fs.calls(), ["sync"]);
/// ```
#[derive(Debug)]
pub struct FaultyFs {
    inner: Box<dyn Fs>,
    plan: Plan,
    calls: Mutex<Vec<&'static str>>,
}

impl FaultyFs {
    /// Wraps the real file system.
    pub fn new(plan: Plan) -> Self {
        Self::over(Box::new(RealFs), plan)
    }

    /// Wraps any file system.
    pub fn over(inner: Box<dyn Fs>, plan: Plan) -> Self {
        Self { inner, plan, calls: Mutex::default() }
    }

    /// The mutating calls made so far, by name.
    pub fn calls(&self) -> Vec<&'static str> {
        self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Counts a mutating call and says whether it goes through.
    fn step(&self, name: &'static str) -> Step {
        let mut calls = self.calls.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        calls.push(name);
        match self.plan {
            Plan::Fail(at, kind) if calls.len() == at => Step::Refused(kind.into()),
            Plan::FailFrom(at, kind) if calls.len() >= at => Step::Refused(kind.into()),
            Plan::Crash(at) if calls.len() == at => Step::Dying,
            Plan::Crash(at) if calls.len() > at => Step::Refused(died()),
            _ => Step::Through,
        }
    }

    fn mutate<T>(&self, name: &'static str, call: impl FnOnce(&dyn Fs) -> io::Result<T>) -> io::Result<T> {
        match self.step(name) {
            Step::Through => call(self.inner.as_ref()),
            Step::Refused(error) => Err(error),
            Step::Dying => Err(died()),
        }
    }
}

enum Step {
    Through,
    Refused(io::Error),
    Dying,
}

fn died() -> io::Error {
    io::Error::other("the process died")
}

impl Fs for FaultyFs {
    fn read_into(&self, path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Twice> {
        self.inner.read_into(path, limit, buffer)
    }

    fn read_head(&self, path: &Path, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
        self.inner.read_head(path, most, buffer)
    }

    fn open(&self, path: &Path) -> io::Result<(u64, Box<dyn Read>)> {
        self.inner.open(path)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.inner.stat(path)
    }

    fn lstat(&self, path: &Path) -> io::Result<Stat> {
        self.inner.lstat(path)
    }

    fn read_dir(&self, path: &Path, wanted: &mut Wanted<'_>) -> io::Result<Vec<Entry>> {
        self.inner.read_dir(path, wanted)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonicalize(path)
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.read_link(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.mutate("create_dir_all", |fs| fs.create_dir_all(path))
    }

    fn write_new(&self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        match self.step("write_new") {
            Step::Through => self.inner.write_new(path, bytes, mode),
            Step::Refused(error) => Err(error),
            Step::Dying => {
                self.inner.write_new(path, &bytes[..bytes.len() / 2], mode)?;
                Err(died())
            }
        }
    }

    fn append(&self, path: &Path, bytes: &[u8], before: u64) -> io::Result<Stamp> {
        match self.step("append") {
            Step::Through => self.inner.append(path, bytes, before),
            Step::Refused(error) => Err(error),
            Step::Dying => {
                self.inner.append(path, &bytes[..bytes.len() / 2], before)?;
                Err(died())
            }
        }
    }

    fn truncate(&self, path: &Path, length: u64) -> io::Result<()> {
        self.mutate("truncate", |fs| fs.truncate(path, length))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.mutate("rename", |fs| fs.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.mutate("remove", |fs| fs.remove(path))
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.mutate("remove_dir", |fs| fs.remove_dir(path))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        self.mutate("sync", |fs| fs.sync(path))
    }

    fn touch(&self, path: &Path) -> io::Result<Stamp> {
        self.mutate("touch", |fs| fs.touch(path))
    }
}
