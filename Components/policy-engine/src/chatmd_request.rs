//! From what is typed to what is asked of ChatMD documents.

use mentci_host::Request;
use mentci_host::chatmd::ChatmdRequest;

use crate::chatmd_arguments::Chatmd;
use crate::policy_request::input;
use crate::surroundings::absolute;

/// The request of a verb of ChatMD documents; `None` where standard input cannot be read, and then it has been said.
pub(crate) fn chatmd(verb: &Chatmd) -> Option<Request> {
    Some(Request::Chatmd(match verb {
        Chatmd::Parse { file } => ChatmdRequest::Parse { document: input(file)? },
        Chatmd::Fmt { check, file } => ChatmdRequest::Format { document: input(file)?, check: *check },
        Chatmd::Check { file } => ChatmdRequest::Check { document: input(file)? },
        Chatmd::Render { out, file } => {
            let out = out.as_deref().filter(|out| *out != "-");
            let out = out.map(|out| absolute(out.as_ref()).to_string_lossy().into_owned());
            ChatmdRequest::Render { document: input(file)?, out }
        }
    }))
}
