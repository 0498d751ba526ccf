//! A server of tools, as a client reaches it.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mentci_authority::{ToolAnswer, ToolCall, ToolFailure, ToolProvider, ToolSpec};
use mentci_context::mcp_answer;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ClientConfig, Tool};
use rmcp::service::{Peer, RunningService, ServiceError, serve_client};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Mutex;

/// How long a server may take until it tells its tools.
const PATIENCE: Duration = Duration::from_mins(1);

/// The pipes of a server that was started.
pub struct ServerPipes {
    /// What it writes.
    pub output: Box<dyn AsyncRead + Send + Unpin>,
    /// What it reads.
    pub input: Box<dyn AsyncWrite + Send + Unpin>,
    /// Whatever ends it when it is dropped.
    pub process: Box<dyn Any + Send>,
}

/// Starts a server anew.
pub type StartServer = Arc<dyn Fn() -> Result<ServerPipes, ToolFailure> + Send + Sync>;

/// The tools of a server. A server that dies fails the calls that are under way; the next call reaches it once more, and when
/// it dies again, its tools fail from then on.
pub struct ServerClient {
    reach: Reach,
    tools: Vec<ToolSpec>,
    link: Mutex<Link>,
}

#[derive(Clone)]
enum Reach {
    Pipes(StartServer),
    Http(String),
}

/// What holds a server.
struct Link {
    service: Option<Service>,
    /// How often it may be reached anew.
    left: u8,
}

struct Service {
    running: RunningService<RoleClient, ClientConfig>,
    _process: Option<Box<dyn Any + Send>>,
}

impl ServerClient {
    /// Starts a server and asks for its tools.
    ///
    /// # Errors
    /// It cannot be started, or does not speak the protocol.
    pub async fn over_pipes(start: StartServer) -> Result<Self, ToolFailure> {
        Self::reached(Reach::Pipes(start)).await
    }

    /// Reaches a server at an address and asks for its tools.
    ///
    /// # Errors
    /// Nobody answers there, or it does not speak the protocol.
    pub async fn over_http(url: &str) -> Result<Self, ToolFailure> {
        Self::reached(Reach::Http(url.to_owned())).await
    }

    async fn reached(reach: Reach) -> Result<Self, ToolFailure> {
        let told = async {
            let service = started(reach.connect().await)?;
            let peer = service.running.peer().clone();
            let told = tokio::spawn(async move { peer.list_all_tools().await }).await;
            let told = told.map_err(|_| ToolFailure::new("it was given up"))?;
            let tools = told.map_err(|error| failed(&error))?;
            Ok((service, tools.into_iter().map(spec).collect()))
        };
        let late = |_| ToolFailure::new(format!("it did not tell its tools within {} s", PATIENCE.as_secs()));
        let (service, tools) = tokio::time::timeout(PATIENCE, told).await.map_err(late)??;
        Ok(Self { reach, tools, link: Mutex::new(Link { service: Some(service), left: 1 }) })
    }

    /// Whoever answers; reached anew when the server is gone, once.
    async fn peer(&self) -> Result<Peer<RoleClient>, ToolFailure> {
        let mut link = self.link.lock().await;
        if let Some(service) = link.service.as_ref().filter(|service| !is_gone(service)) {
            return Ok(service.running.peer().clone());
        }
        link.service = None;
        if link.left == 0 {
            return Err(ToolFailure::new("the server has ended, and ended again when it was started anew"));
        }
        link.left -= 1;
        let again = tokio::time::timeout(PATIENCE, self.reach.connect()).await;
        let service = again.map_or_else(|_| Err(ToolFailure::new("it does not answer")), started);
        let service =
            service.map_err(|failure| ToolFailure::new(format!("the server has ended: {failure}")))?;
        let peer = service.running.peer().clone();
        link.service = Some(service);
        Ok(peer)
    }

    async fn ask(&self, call: &ToolCall) -> Result<Value, ToolFailure> {
        let peer = self.peer().await?;
        let mut params = CallToolRequestParams::new(call.name.clone());
        if let Value::Object(arguments) = &call.args {
            params = params.with_arguments(arguments.clone());
        }
        // On a task of its own, which ends when the call is given up.
        let mut asked = AbortOnDrop(tokio::spawn(async move { peer.call_tool(params).await }));
        let result = (&mut asked.0).await.map_err(|_| ToolFailure::new("the call was given up"))?;
        let result = result.map_err(|error| failed(&error))?;
        let result = serde_json::to_value(result).map_err(|error| ToolFailure::new(error.to_string()))?;
        mcp_answer(result)
    }
}

/// A task that ends when nobody waits for it.
struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn started<T>(ended: Result<Result<T, ToolFailure>, tokio::task::JoinError>) -> Result<T, ToolFailure> {
    ended.unwrap_or_else(|_| Err(ToolFailure::new("it was given up")))
}

fn refused(error: &dyn fmt::Display) -> ToolFailure {
    ToolFailure::new(format!("it does not speak the protocol: {error}"))
}

impl Reach {
    /// On a thread of its own: the future that shakes hands may not move between threads.
    fn connect(&self) -> tokio::task::JoinHandle<Result<Service, ToolFailure>> {
        let (reach, runtime) = (self.clone(), tokio::runtime::Handle::current());
        tokio::task::spawn_blocking(move || runtime.block_on(connected(reach)))
    }
}

async fn connected(reach: Reach) -> Result<Service, ToolFailure> {
    {
        match reach {
            Reach::Pipes(start) => {
                let pipes = start()?;
                let running = serve_client(ClientConfig::default(), (pipes.output, pipes.input)).await;
                let running = running.map_err(|error| refused(&error))?;
                Ok(Service { running, _process: Some(pipes.process) })
            }
            Reach::Http(url) => {
                // OK to ignore: another one that was installed serves as well.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let transport = StreamableHttpClientTransport::from_uri(url.as_str());
                let running = serve_client(ClientConfig::default(), transport)
                    .await
                    .map_err(|error| refused(&error))?;
                Ok(Service { running, _process: None })
            }
        }
    }
}

impl ToolProvider for ServerClient {
    fn tools(&self) -> Vec<ToolSpec> {
        self.tools.clone()
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> ToolAnswer<'a> {
        Box::pin(self.ask(call))
    }
}

impl fmt::Debug for ServerClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerClient").field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}

fn is_gone(service: &Service) -> bool {
    service.running.is_closed() || service.running.peer().is_transport_closed()
}

fn failed(error: &ServiceError) -> ToolFailure {
    match error {
        ServiceError::McpError(error) => ToolFailure::new(error.message.to_string()),
        ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
            ToolFailure::new("the server ended before it answered")
        }
        error => ToolFailure::new(error.to_string()),
    }
}

fn spec(tool: Tool) -> ToolSpec {
    ToolSpec {
        name: tool.name.into_owned(),
        description: tool.description.map(std::borrow::Cow::into_owned),
        input_schema: Value::Object((*tool.input_schema).clone()),
        output_schema: tool.output_schema.map(|schema| Value::Object((*schema).clone())),
    }
}
