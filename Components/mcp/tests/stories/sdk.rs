//! The SDK's own client through a whole story.

use mentci_mcp::serve_pipe;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use serde_json::json;
use tokio::io::split;

use crate::desk::Desk;

#[tokio::test]
async fn the_sdk_reads_teaches_and_leaves() {
    let desk = Desk::new();
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = split(theirs);
    let serving = tokio::spawn(serve_pipe(desk.clone(), reader, writer, std::future::pending()));
    let client = ().serve(ours).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 10);
    let read = client.read_resource(ReadResourceRequestParams::new("mentci://digest")).await.unwrap();
    let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else { panic!("{read:?}") };
    assert!(text.contains("rust-1"));
    let lesson =
        json!({"skill_name": "rust", "condition": "the linker fails", "resolution": "install `lld`"});
    let call = CallToolRequestParams::new("update_skill_heuristics")
        .with_arguments(lesson.as_object().unwrap().clone());
    let result = client.call_tool(call).await.unwrap();
    assert_eq!(result.is_error, Some(false));
    assert_eq!(desk.taught().len(), 1);
    client.cancel().await.unwrap();
    assert!(serving.await.unwrap().is_ok());
}
