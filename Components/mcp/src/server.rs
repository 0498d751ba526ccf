//! The protocol's handler: one for each session, all on one handle.

use std::sync::{Arc, Mutex, PoisonError};

use mentci_host::Ask;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
    CustomResult, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::task::JoinHandle;
use uuid::Uuid;

use crate::answering::{Panicked, on_a_thread};
use crate::call::call;
use crate::caller::Caller;
use crate::changes::Changes;
use crate::follower::{Follower, Known, Line, Subscribed, hash};
use crate::resource::Place;
use crate::tool::{TOOLS, ToolRow};
use crate::{completion, params, prompt, resource};

const INSTRUCTIONS: &str = "\
Mentci keeps the rules of this workspace: its law, and what agents learned.

- Before you start on a task, and after your context was compacted, call `get_absolute_rules` (or read `mentci://digest`) and \
follow it. With a `skill` it gives all rules of that skill.
- Call `update_skill_heuristics` as soon as a rule, a tool or a command fails under some condition and you have found what works \
instead, or when the user corrects you. Say when (condition) and what to do then (resolution), so that an agent who was not here \
understands it. `list_heuristics` shows what is known already.
- A lesson is in the rules from the next turn on. One that would loosen an explicit rule waits for a person: say so to the user, \
and keep to the rule.
- `explain_rule` shows where a rule comes from. Never edit runtime.edn, promoted.edn or absolute_rules.md by hand.";

/// What all sessions of one server share.
#[derive(Clone)]
pub(crate) struct Shared {
    ask: Arc<dyn Ask>,
    changes: Changes,
    /// The session of calls that belong to none.
    connection: Arc<str>,
}

impl Shared {
    pub(crate) fn new(ask: Arc<dyn Ask>) -> Self {
        let changes = Changes::of(&ask);
        Self { ask, changes, connection: Uuid::now_v7().to_string().into() }
    }
}

/// One session.
pub(crate) struct Server {
    shared: Shared,
    subscribed: Subscribed,
    following: Mutex<Option<JoinHandle<()>>>,
}

impl Server {
    pub(crate) fn new(shared: Shared) -> Self {
        Self { shared, subscribed: Subscribed::default(), following: Mutex::default() }
    }

    fn follower(&self, line: Line, subscribed: Subscribed) -> Follower {
        Follower { ask: self.shared.ask.clone(), changes: self.shared.changes.listener(), line, subscribed }
    }

    /// Asks on a thread of its own.
    async fn answer<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Ask) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let ask = self.shared.ask.clone();
        let answer = on_a_thread(move || work(ask.as_ref())).await;
        answer.map_err(|Panicked| {
            ErrorData::internal_error("the policy engine failed by a defect; its log tells more", None)
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(task) = self.following.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_prompts()
            .enable_completions()
            .build();
        let this = Implementation::new("mentci", env!("CARGO_PKG_VERSION"))
            .with_title("Mentci")
            .with_description("Rules that agents cannot forget, and what they learned");
        ServerConfig::new(capabilities).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let follower = self.follower(Line::Session(context.peer), self.subscribed.clone());
        let task = tokio::spawn(follower.follow());
        let before = self.following.lock().unwrap_or_else(PoisonError::into_inner).replace(task);
        if let Some(before) = before {
            before.abort();
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(ToolRow::listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let row = ToolRow::find(&request.name).ok_or_else(|| unknown_tool(&request.name))?;
        let caller = Caller::of(&context, &self.shared.connection);
        Ok(call(self.shared.ask.clone(), row, request.arguments, caller).await.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        self.answer(|ask| resource::list(ask, cursor)).await?
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resource::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let place = Place::parse(&request.uri)?;
        Ok(self.answer(move |ask| place.read(ask)).await??.into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompt::listed()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let filled =
            self.answer(move |ask| prompt::get(ask, &request.name, request.arguments.as_ref())).await??;
        Ok(filled.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(CompleteResult::new(self.answer(move |ask| completion::complete(ask, &request)).await?))
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let place = Place::parse(&request.uri)?;
        // Locked while it is read: what is published meanwhile is compared with what was read.
        let mut subscribed = self.subscribed.lock().await;
        let known = hash(&self.shared.ask, &place).await;
        subscribed.insert(place, known);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().await.remove(&Place::parse(&request.uri)?);
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(params::refusal(request))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let mut accepted = requested.supported_by(&self.get_info().capabilities);
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| Place::parse(uri).is_ok());
        }
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let uris = context.accepted().resource_subscriptions.iter().flatten();
        let places = uris.filter_map(|uri| Place::parse(uri).ok()).map(|place| (place, Known::Nothing));
        let subscribed = Subscribed::new(tokio::sync::Mutex::new(places.collect()));
        let follower = self.follower(Line::Subscription(context.sink().clone()), subscribed);
        tokio::select! {
            () = follower.follow() => {}
            () = context.cancelled() => {}
        }
        Ok(())
    }
}

fn unknown_tool(name: &str) -> ErrorData {
    let shown: String = name.chars().take(64).collect();
    let known: Vec<String> = TOOLS.iter().map(|row| format!("`{}`", row.name)).collect();
    let sentence = format!("no tool is named `{}`; there are {}", shown.escape_debug(), known.join(", "));
    ErrorData::invalid_params(sentence, None)
}
