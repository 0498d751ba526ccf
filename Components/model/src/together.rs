//! Many requests to one model, as many at a time as it takes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use mentci_authority::{Model, ModelFailure, ModelFailureKind, ModelReply, ModelRequest, ModelUsage};
use tokio::task::JoinSet;

/// What came of one of several requests; none where it was not made, because another one had shown that nobody answers.
pub type Together = Vec<Option<Result<ModelReply, ModelFailure>>>;

/// Makes these requests, at most so many at a time; the answers are in the order of the requests.
///
/// The first request goes alone, so that a dead endpoint is asked once and not by all at a time, and so is one that refuses what is
/// asked. Once a request fails in a way that is not its own (nobody answers, the key is refused, a cap is reached), no other one is
/// begun.
pub async fn ask_together(model: &Arc<dyn Model>, requests: Vec<ModelRequest>, most: usize) -> Together {
    let mut answers: Together = requests.iter().map(|_| None).collect();
    let mut waiting: VecDeque<(usize, ModelRequest)> = requests.into_iter().enumerate().collect();
    let mut under_way = JoinSet::new();
    let mut places = BTreeMap::new();
    let mut at_a_time = 1;
    let mut is_over = false;
    loop {
        while !is_over && under_way.len() < at_a_time {
            let Some((at, request)) = waiting.pop_front() else { break };
            let model = model.clone();
            let task = under_way.spawn(async move { model.ask(&request, &mut |_| {}).await });
            places.insert(task.id(), at);
        }
        let Some(ended) = under_way.join_next_with_id().await else { return answers };
        let (task, answer) = match ended {
            Ok(ended) => ended,
            // A request that panicked has failed; the others have their answers.
            Err(error) => (error.id(), Err(ended_early())),
        };
        at_a_time = most.max(1);
        // OK because: each task has its place.
        let Some(at) = places.remove(&task) else { continue };
        let refused = |failure: &ModelFailure| at == 0 && failure.kind == ModelFailureKind::Refused;
        is_over |= answer.as_ref().is_err_and(|failure| refused(failure) || concerns_all(failure.kind));
        answers[at] = Some(answer);
    }
}

/// A request that nothing came of because this program broke off.
fn ended_early() -> ModelFailure {
    let message = "a request to a model ended early".to_owned();
    ModelFailure { kind: ModelFailureKind::Failed, message, tries: 1, lost: ModelUsage::default() }
}

fn concerns_all(kind: ModelFailureKind) -> bool {
    use ModelFailureKind::{Capped, Limited, TimedOut, Unauthorized, Unreachable};
    matches!(kind, Unreachable | TimedOut | Unauthorized | Limited | Capped)
}
