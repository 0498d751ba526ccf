//! A call that has begun and not ended.

use super::{ToolEvent, ToolEventKind, ToolEvents};

/// A call that has begun. INVARIANT (one end): it is ended by [`Self::end`], or, when it is dropped before that, as
/// cancelled; never both.
pub(super) struct OpenCall<'a> {
    events: &'a dyn ToolEvents,
    /// None once it has ended.
    open: Option<(String, String)>,
}

impl<'a> OpenCall<'a> {
    /// Records that a call began.
    pub(super) fn begin(events: &'a dyn ToolEvents, call: &ToolEvent) -> Self {
        let open = Some((call.call_id.clone(), call.tool.clone()));
        // The guard stands before the event is told, so that nothing can come between.
        let guard = Self { events, open };
        events.record(call);
        guard
    }

    /// Records how it ended.
    pub(super) fn end(mut self, event: ToolEvent) -> ToolEvent {
        self.open = None;
        self.events.record(&event);
        event
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        if let Some((call_id, tool)) = self.open.take() {
            let event = ToolEvent::new(ToolEventKind::Cancelled, &call_id, &tool);
            self.events.record(&event.with("error", "the call was given up before its tool answered"));
        }
    }
}
