//! From a workspace to a server that runs until it is told to stop.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use mentci_source::Severity;
use mentci_workspace::{WatchCycle, Workspace};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::access::Guard;
use crate::listen::listen;
use crate::socket::Socket;
use crate::tls::acceptor;
use crate::{App, Options, ServeError, TokenFile, live, routes};

/// How long what is under way may still take when the server has ended.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked whether rules moved while nothing is decided.
const LOOK: Duration = Duration::from_millis(500);

/// The server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Where.
    pub addr: SocketAddr,
    /// The page, by a link that logs a browser in, once and within a quarter of an hour.
    pub login: String,
}

/// Serves until `shutdown` completes, with a watcher beside it that keeps its answers current. `started` hears where it
/// listens; `report` hears of every cycle of the watcher.
///
/// # Errors
/// - [`ServeError::Plain`], [`ServeError::Tokenless`]: others could reach it, without TLS or unknown.
/// - [`ServeError::Tokens`]: the file of tokens is damaged, or others can write it.
/// - [`ServeError::Tls`]: a certificate or a key cannot be used.
/// - [`ServeError::Bind`]: the address is taken.
/// - [`ServeError::Socket`]: the socket of hooks cannot be made.
/// - [`ServeError::Io`]: the threads cannot be started.
pub fn serve(
    workspace: Arc<Workspace>,
    options: &Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
    started: impl FnOnce(&Started),
    report: impl Fn(&WatchCycle) + Send + 'static,
) -> Result<(), ServeError> {
    raise_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (stop, stopping) = watch::channel(false);
    let guard = Arc::new(Guard::new(options));
    if let Some(Err(finding)) = options.tokens.as_ref().map(TokenFile::tokens) {
        return Err(ServeError::Tokens(Box::new(finding)));
    }
    let tls = safe(options, &guard)?;
    workspace.keep_rules();
    let app = App::new(workspace.clone(), guard.clone(), stopping.clone())?;
    let listener = runtime.block_on(bind(options.addr))?;
    let addr = listener.local_addr()?;
    let socket = options.socket.as_deref().map(|path| {
        let _inside = runtime.enter();
        Socket::bind(path)
    });
    let socket = socket.transpose()?;
    let link = guard.logins.link().map_err(|error| std::io::Error::other(error.to_string()))?;
    started(&Started {
        addr,
        login: format!("{}://{addr}/login/{link}", if tls.is_some() { "https" } else { "http" }),
    });
    let watcher = Watcher::start(workspace, app.clone(), report);
    let routes = routes::routes(&app, options);
    runtime.spawn(live::follow(app.clone()));
    runtime.spawn(keep_rules(app.clone()));
    runtime.spawn(tell_damage(app.clone()));
    let hooks = socket.map(|socket| runtime.spawn(socket.serve(app)));
    runtime.spawn(async move {
        shutdown.await;
        // OK to ignore: the server has ended.
        let _ = stop.send(true);
    });
    runtime.block_on(listen(listener, tls, routes, stopping));
    watcher.stop();
    if let Some(hooks) = hooks {
        // OK to ignore: it says nothing when it ends.
        let _ = runtime.block_on(hooks);
    }
    runtime.shutdown_timeout(GRACE);
    Ok(())
}

/// Reads the rules as they are written, until the daemon stops: what nobody was decided by yet holds all the same when the
/// next version of its file is broken.
async fn keep_rules(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = app.stopping() => return,
        }
        // OK to ignore: what was not looked at now is in half a second.
        let _ = app.work(Workspace::keep_rules).await;
    }
}

/// Writes into the daemon's own log what becomes of the workspace's, until it stops: who runs it may never see an answer.
async fn tell_damage(app: App) {
    let mut said = Vec::new();
    loop {
        let damaged = app.work(Workspace::damaged_logs).await.unwrap_or_default();
        for damage in damaged {
            if !said.contains(&damage) {
                let (code, help) = (damage.code.id(), damage.help.as_deref().unwrap_or_default());
                if damage.severity == Severity::Error {
                    tracing::error!(target: "store", code, help, "{}", damage.message);
                } else {
                    tracing::warn!(target: "store", code, help, "{}", damage.message);
                }
                said.push(damage);
            }
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = app.stopping() => return,
        }
    }
}

/// As many connections as the system lets the process have; what cannot be raised stays.
fn raise_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}

/// TLS where it is asked for. Where others can reach the address there must be TLS, and a token by which they are known.
fn safe(options: &Options, guard: &Guard) -> Result<Option<TlsAcceptor>, ServeError> {
    let tls = options.tls.as_ref().map(acceptor).transpose()?;
    if !options.addr.ip().to_canonical().is_loopback() {
        if tls.is_none() {
            return Err(ServeError::Plain(options.addr));
        }
        if !guard.has_tokens() {
            return Err(ServeError::Tokenless(options.addr));
        }
    }
    Ok(tls)
}

async fn bind(addr: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(addr).await.map_err(|error| ServeError::Bind { addr, error })
}

/// The watcher on its thread.
struct Watcher {
    stop: std::sync::mpsc::Receiver<mentci_workspace::WatchStop>,
    thread: thread::JoinHandle<()>,
}

impl Watcher {
    fn start(workspace: Arc<Workspace>, app: App, report: impl Fn(&WatchCycle) + Send + 'static) -> Self {
        let (sender, stop) = channel();
        workspace.keep_versions();
        let told = move |cycle: &WatchCycle| {
            app.live().watched(cycle);
            report(cycle);
        };
        // OK to ignore: it is received as soon as the server ends.
        let thread = thread::spawn(move || workspace.watch(|stop| drop(sender.send(stop)), told));
        Self { stop, thread }
    }

    fn stop(self) {
        if let Ok(stop) = self.stop.recv() {
            stop.stop();
        }
        // OK to ignore: a watcher that panicked has said so.
        let _ = self.thread.join();
    }
}
