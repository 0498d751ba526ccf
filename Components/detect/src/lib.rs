//! secrets and personal data, in linear time.
