//! The routes with what they are: one call says the path, who may, what it takes, and who answers.

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, on};
use serde_json::{Map, Value, json};

use crate::access::require;
use crate::repeat::{KEY, KEY_CHARS, Once, once};
use crate::{App, Scope};

/// What a route is.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    method: Method,
    path: &'static str,
    summary: &'static str,
    scope: Option<Scope>,
    query: Vec<(&'static str, Value, bool)>,
    body: Option<Value>,
    answer: Value,
    kind: &'static str,
    or_json: bool,
    once: Option<Once>,
}

impl Operation {
    /// A route that reads.
    pub(crate) fn get(path: &'static str, summary: &'static str) -> Self {
        Self::new(Method::GET, path, summary)
    }

    /// A route that does something.
    pub(crate) fn post(path: &'static str, summary: &'static str) -> Self {
        Self::new(Method::POST, path, summary)
    }

    /// A route that sets something.
    pub(crate) fn put(path: &'static str, summary: &'static str) -> Self {
        Self::new(Method::PUT, path, summary)
    }

    /// A route that takes something back.
    pub(crate) fn delete(path: &'static str, summary: &'static str) -> Self {
        Self::new(Method::DELETE, path, summary)
    }

    fn new(method: Method, path: &'static str, summary: &'static str) -> Self {
        let (query, body, answer) = (Vec::new(), None, json!({"type": "object"}));
        Self {
            method,
            path,
            summary,
            scope: Some(Scope::Operator),
            query,
            body,
            answer,
            kind: "application/json",
            or_json: false,
            once: None,
        }
    }

    /// Who may.
    pub(crate) fn takes(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    /// Everybody may.
    pub(crate) fn open(mut self) -> Self {
        self.scope = None;
        self
    }

    /// A parameter of the query.
    pub(crate) fn query(mut self, name: &'static str, schema: Value) -> Self {
        self.query.push((name, schema, false));
        self
    }

    /// A parameter of the query that must be there.
    pub(crate) fn needs(mut self, name: &'static str, schema: Value) -> Self {
        self.query.push((name, schema, true));
        self
    }

    /// The body's schema.
    pub(crate) fn body(mut self, schema: Value) -> Self {
        self.body = Some(schema);
        self
    }

    /// The answer's schema.
    pub(crate) fn answers(mut self, schema: Value) -> Self {
        self.answer = schema;
        self
    }

    /// The answer's type, where it is not JSON.
    pub(crate) fn kind(mut self, kind: &'static str) -> Self {
        self.kind = kind;
        self.answer = json!({"type": "string"});
        self
    }

    /// The answer is JSON where that is asked for.
    pub(crate) fn or_json(mut self) -> Self {
        self.or_json = true;
        self
    }

    /// Done once for each key that a client names it by, however often it is sent.
    pub(crate) fn once(mut self) -> Self {
        self.once = Some(Once::Deed);
        self
    }

    /// Decided once for each key that a client names it by, for as long as the same rules, switches and stops hold.
    pub(crate) fn decided_once(mut self) -> Self {
        self.once = Some(Once::Decision);
        self
    }

    fn describe(&self) -> Value {
        let names = self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        let path = names.map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}));
        let query = self.query.iter().map(
            |(name, schema, required)| json!({"name": name, "in": "query", "required": required, "schema": schema}),
        );
        let key = self.once.map(|_| {
            let schema = json!({"type": "string", "minLength": 1, "maxLength": KEY_CHARS, "pattern": "^[!-~]+$"});
            json!({
                "name": KEY, "in": "header", "required": false, "schema": schema,
                "description": "Names the request: sent again with the same body it is answered as before, and nothing is done twice.",
            })
        });
        let refused = json!({"$ref": "#/components/responses/Refused"});
        let mut content = Map::from_iter([(self.kind.to_owned(), json!({"schema": self.answer}))]);
        if self.or_json {
            content.insert("application/json".to_owned(), json!({"schema": {}}));
        }
        let mut said = json!({
            "summary": self.summary,
            "operationId": format!("{}{}", self.method.as_str().to_lowercase(), self.path.replace(['/', '{', '}', '-', '.'], "_")),
            "parameters": path.chain(query).chain(key).collect::<Vec<_>>(),
            "responses": {"200": {"description": "done", "content": content}, "4XX": refused, "5XX": refused},
        });
        if let Some(scope) = self.scope {
            said["description"] = format!("Takes a token of scope `{scope}` or more.").into();
            said["security"] = json!([{"token": []}]);
        }
        if let Some(body) = &self.body {
            // An empty body is `{}`.
            let is_needed = body["required"].as_array().is_some_and(|fields| !fields.is_empty());
            said["requestBody"] =
                json!({"required": is_needed, "content": {"application/json": {"schema": body}}});
        }
        said
    }
}

/// Routes, and what is written of them.
pub(crate) struct Api {
    app: App,
    pub(crate) router: Router<App>,
    paths: Map<String, Value>,
}

impl Api {
    /// The routes of an app.
    pub(crate) fn new(app: &App) -> Self {
        Self { app: app.clone(), router: Router::new(), paths: Map::new() }
    }

    /// Adds a route.
    #[expect(clippy::needless_pass_by_value, reason = "an operation is written where its route is added")]
    pub(crate) fn route<H: Handler<T, App>, T: 'static>(mut self, operation: Operation, handler: H) -> Self {
        let method = operation.method.as_str().to_lowercase();
        // OK because operations have the methods above.
        let filter = MethodFilter::try_from(operation.method.clone()).unwrap_or(MethodFilter::GET);
        let mut route = on(filter, handler);
        if let Some(kind) = operation.once {
            route = route.route_layer(from_fn_with_state((self.app.clone(), kind), once));
        }
        if let Some(scope) = operation.scope {
            route = route.route_layer(from_fn_with_state(scope, require));
        }
        self.router = self.router.route(operation.path, route);
        let path = self.paths.entry(operation.path).or_insert_with(|| json!({}));
        path[method] = operation.describe();
        self
    }

    /// The `OpenAPI` document of the routes.
    pub(crate) fn document(&self) -> Value {
        let finding = json!({
            "type": "object",
            "required": ["code", "message"],
            "properties": {"code": {"type": "string"}, "severity": {"type": "string"}, "message": {"type": "string"}},
        });
        let findings = json!({"type": "object", "required": ["findings"], "properties": {"findings": {"type": "array", "items": finding}}});
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Mentci",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "Rules that agents cannot forget and cannot break. Refusals are JSON findings.",
                "license": {"name": "MIT OR Apache-2.0"},
            },
            "paths": self.paths,
            "components": {
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                "responses": {"Refused": {"description": "why not", "content": {"application/json": {"schema": findings}}}},
            },
        })
    }
}
