//! the API boundary: every verb once, request to response
