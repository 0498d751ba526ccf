//! The tools of a run by name, and what calls them.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_context::{
    GateAnswer, PerceptionAligner, Timeouts, Timer, ToolEvent, ToolEvents, ToolInterruptHandler,
};
use mentci_source::did_you_mean;
use mentci_workspace::Workspace;

use crate::opened::AGENT_TIME;

/// The most calls that run side by side.
const PARALLEL: usize = 16;

/// The tools of a run, and what calls them.
pub(crate) struct Toolbox {
    specs: Vec<ToolSpec>,
    handler: Arc<ToolInterruptHandler>,
    /// Runs the agents of rules; none where nothing can be run.
    agents: Arc<ToolInterruptHandler>,
}

/// Tools while they are gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    specs: Vec<ToolSpec>,
    routes: BTreeMap<String, Route>,
    timeouts: BTreeMap<String, Duration>,
    agents: Option<Arc<dyn ToolProvider>>,
}

struct Route {
    provider: Arc<dyn ToolProvider>,
    /// What the provider calls it.
    name: String,
}

impl Gathered {
    /// Adds the tools of a provider. One whose name is taken bears the provider's name before its own.
    pub(crate) fn add(&mut self, provider: &Arc<dyn ToolProvider>, prefix: &str, timeout: Option<Duration>) {
        for mut spec in provider.tools() {
            let own = spec.name.clone();
            if self.routes.contains_key(&own) {
                spec.name = self.free(prefix, &own);
            }
            let name = spec.name.clone();
            if let Some(timeout) = timeout {
                self.timeouts.insert(name.clone(), timeout);
            }
            self.routes.insert(name, Route { provider: provider.clone(), name: own });
            self.specs.push(spec);
        }
    }

    /// Sets what runs the agents of rules. It has no name among the tools: nothing that a model calls leads to it.
    pub(crate) fn by_rules(&mut self, agents: Arc<dyn ToolProvider>) {
        self.agents = Some(agents);
    }

    fn free(&self, prefix: &str, name: &str) -> String {
        let first = format!("{prefix}_{name}");
        let numbered = (2..).map(|number| format!("{prefix}_{number}_{name}"));
        let mut names = std::iter::once(first).chain(numbered);
        // OK because there are more numbers than tools.
        names.find(|name| !self.routes.contains_key(name)).unwrap_or_default()
    }

    pub(crate) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    pub(crate) fn close(self, aligner: &Arc<PerceptionAligner>, timer: &TokioTimer) -> Toolbox {
        let timeouts = Timeouts { tools: self.timeouts, ..Timeouts::default() };
        let routes: Arc<dyn ToolProvider> = Arc::new(Routes { routes: self.routes });
        let handler = |provider: Arc<dyn ToolProvider>, timeouts: Timeouts| {
            let (unheard, allow) = (Arc::new(Unheard), Arc::new(|_: &ToolCall| GateAnswer::Allowed));
            let handler =
                ToolInterruptHandler::new(provider, aligner.clone(), unheard, allow, Arc::new(timer.clone()));
            Arc::new(handler.with_timeouts(timeouts).with_parallel(PARALLEL))
        };
        let long = Timeouts { default: AGENT_TIME, ..Timeouts::default() };
        let agents = handler(self.agents.unwrap_or_else(|| routes.clone()), long);
        Toolbox { specs: self.specs, handler: handler(routes, timeouts), agents }
    }
}

impl Toolbox {
    /// As the model is told of them.
    pub(crate) fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Calls them. What may run was decided before it is asked.
    pub(crate) fn handler(&self) -> Arc<ToolInterruptHandler> {
        self.handler.clone()
    }

    /// Runs the agents of rules.
    pub(crate) fn agents(&self) -> Arc<ToolInterruptHandler> {
        self.agents.clone()
    }
}

/// Every tool by its name.
struct Routes {
    routes: BTreeMap<String, Route>,
}

impl ToolProvider for Routes {
    fn tools(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        let Some(route) = self.routes.get(&call.name) else {
            let failure = unknown(&call.name, self.routes.keys().map(String::as_str));
            return Box::pin(async move { Err(failure) });
        };
        Box::pin(async move {
            let call = ToolCall { name: route.name.clone(), ..call.clone() };
            route.provider.call(&call).await
        })
    }
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> ToolFailure {
    let names = known.clone().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let there = if names.is_empty() {
        "this document declares none".to_owned()
    } else {
        format!("the tools are {names}")
    };
    let near = did_you_mean(name, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    ToolFailure::new(format!("there is no tool `{}`{near}\n{there}", name.escape_debug()))
}

/// What happens to calls stands in the document: nobody else hears of it.
struct Unheard;

impl ToolEvents for Unheard {
    fn record(&self, _: &ToolEvent) {}
}

/// Waits on the runtime; knows the workspace's time.
#[derive(Clone)]
pub(crate) struct TokioTimer(pub(crate) Arc<Workspace>);

impl Timer for TokioTimer {
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }

    fn now(&self) -> f64 {
        self.0.seconds()
    }
}
