//! An artifact, or the part of it that a page can hold.

use mentci_host::session::ArtifactContent;
use mentci_page::{Html, grouped};
use mentci_source::Finding;

use crate::frame::heading;
use crate::words::pre;
use crate::{link, notice};

pub(super) fn write(content: &ArtifactContent, session: Option<&str>, findings: &[Finding], html: &mut Html) {
    let handle = &content.handle;
    html.element("p", &[("class", "crumbs")], |html| match session {
        Some(session) => html.leaf("a", &[("href", &link::session(session))], session),
        None => html.own("<a href=\"/sessions\">Sessions</a>"),
    });
    heading("Artifact", "", html);
    html.element("p", &[("class", "facts")], |html| {
        html.leaf("code", &[], &handle.artifact_id.to_string());
        html.own(" ");
        html.leaf("span", &[], &handle.mime_type);
        html.own(" ");
        html.leaf("span", &[], &format!("{} bytes", grouped(handle.size_bytes)));
        html.own(" ");
        html.leaf("span", &[], &handle.source);
        html.own(" ");
    });
    notice::findings(findings, html);
    match &content.text {
        Some(text) => pre(text, html),
        None => html.own(
            "<p class=\"soft\">It is no text. <code>policy-engine artifact get</code> writes its bytes.</p>",
        ),
    }
    if content.bytes < handle.size_bytes {
        let shown = format!(
            "Bytes {} to {} of {}.",
            content.from,
            content.from + content.bytes,
            grouped(handle.size_bytes)
        );
        html.leaf("p", &[("class", "soft")], &shown);
    }
}
