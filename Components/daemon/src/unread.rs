//! What a refusal leaves unread of a request: taken off the connection, so that the next request on it is understood, or the
//! answer says that the connection ends.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::http::HeaderValue;
use axum::http::header::{CONNECTION, EXPECT};
use axum::response::Response;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::{Request, StatusCode};

use crate::api::MOST_BYTES;

/// How long the rest of a body is waited for in all, and how long each next part of it.
const LINGERS: Duration = Duration::from_secs(3);
const NEXT: Duration = Duration::from_secs(1);
/// How much of it is taken: a body that is somewhat too large, and none without end.
const MOST: u64 = 4 * MOST_BYTES as u64;

/// Where a request's body has come.
#[derive(Debug, Default)]
enum Stand {
    /// It is being read, or held by whoever answers.
    #[default]
    Held,
    /// All of it was read, or there was none.
    Whole,
    /// Nobody reads it any more.
    Left(Incoming),
    /// It cannot be read on.
    Broken,
}

/// A body as whoever answers reads it; what they leave is [`Unread`].
#[derive(Debug)]
pub(crate) struct Heard {
    body: Option<Incoming>,
    stand: Arc<Mutex<Stand>>,
}

/// What may be left of a request when it was answered.
#[derive(Debug)]
pub(crate) struct Unread {
    stand: Arc<Mutex<Stand>>,
    /// The client sends its body when it is told to, and was not told.
    waits: bool,
}

impl Unread {
    /// The request, with its body watched.
    pub(crate) fn of(request: Request<Incoming>) -> (Request<Heard>, Self) {
        let waits = request.headers().contains_key(EXPECT);
        let stand = Arc::new(Mutex::new(Stand::Held));
        let unread = Self { stand: stand.clone(), waits };
        (request.map(|body| Heard { body: Some(body), stand }), unread)
    }

    /// The answer, when what was left of the request has been taken off the connection; otherwise it says that the connection
    /// ends.
    pub(crate) async fn answered(self, mut response: Response) -> Response {
        let stand = std::mem::take(&mut *lock(&self.stand));
        let ends = match stand {
            Stand::Held | Stand::Whole => false,
            Stand::Broken => true,
            // Of a client that is too slow nothing more is waited for.
            Stand::Left(_) if self.waits || response.status() == StatusCode::REQUEST_TIMEOUT => true,
            Stand::Left(body) => !taken(body).await,
        };
        if ends {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// Takes off what is left of a body; whether that was all of it, in time.
async fn taken(mut body: Incoming) -> bool {
    let mut bytes = body.size_hint().lower();
    let all = async {
        while bytes <= MOST {
            let next = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context));
            match tokio::time::timeout(NEXT, next).await {
                // What has a length is counted by it.
                Ok(Some(Ok(frame))) if body.size_hint().exact().is_none() => {
                    bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
                }
                Ok(Some(Ok(_))) => {}
                Ok(None) => return true,
                Ok(Some(Err(_))) | Err(_) => return false,
            }
        }
        false
    };
    tokio::time::timeout(LINGERS, all).await.unwrap_or(false)
}

fn lock(stand: &Mutex<Stand>) -> std::sync::MutexGuard<'_, Stand> {
    stand.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Body for Heard {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = self.body.as_mut() else { return Poll::Ready(None) };
        let read = Pin::new(body).poll_frame(context);
        let ended = match &read {
            Poll::Ready(None) => Stand::Whole,
            Poll::Ready(Some(Err(_))) => Stand::Broken,
            _ => return read,
        };
        self.body = None;
        *lock(&self.stand) = ended;
        read
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        let Some(body) = self.body.take() else { return };
        *lock(&self.stand) = if body.is_end_stream() { Stand::Whole } else { Stand::Left(body) };
    }
}
