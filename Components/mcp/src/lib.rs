//! learner and query tools over the Model Context Protocol
