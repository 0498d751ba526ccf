//! A sign of life on a terminal when something takes long.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::ProgressBar;

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// Turns until it is finished; shows nothing where standard error is no terminal.
pub(crate) struct Progress {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub(crate) fn start(what: Option<&'static str>) -> Self {
        let Some(what) = what.filter(|_| std::io::stderr().is_terminal()) else {
            return Self { running: None };
        };
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || {
            if receiver.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(what);
            bar.enable_steady_tick(Duration::from_millis(100));
            let _ = receiver.recv();
            bar.finish_and_clear();
        });
        Self { running: Some((sender, thread)) }
    }

    pub(crate) fn finish(self) {
        if let Some((sender, thread)) = self.running {
            drop(sender);
            let _ = thread.join();
        }
    }
}
