//! TLS, where others can reach the daemon.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mentci_disk::{Fs, RealFs};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::ServeError;

/// The largest file of a certificate or a key.
const MOST_BYTES: u64 = 1 << 20;

/// Where the certificate and its key stand, in PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The chain of certificates, the daemon's own first.
    pub cert: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// What takes connections over TLS: 1.2 and 1.3, HTTP/1.1.
///
/// # Errors
/// [`ServeError::Tls`]: a file cannot be read, or the two do not belong together.
pub(crate) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, ServeError> {
    let read = |path: &Path| {
        let mut bytes = Vec::new();
        RealFs.read_into(path, MOST_BYTES, &mut bytes).map_err(|error| odd(path, error))?;
        Ok::<_, ServeError>(bytes)
    };
    let certs = CertificateDer::pem_slice_iter(&read(&files.cert)?).collect::<Result<Vec<_>, _>>();
    let certs = certs.map_err(|error| odd(&files.cert, error))?;
    if certs.is_empty() {
        return Err(odd(&files.cert, "it holds no certificate"));
    }
    let key = PrivateKeyDer::from_pem_slice(&read(&files.key)?).map_err(|error| odd(&files.key, error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| odd(&files.cert, error))?
        .with_no_client_auth()
        .with_single_cert(certs, key);
    let mut config = config.map_err(|error| odd(&files.key, error))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn odd(path: &Path, why: impl std::fmt::Display) -> ServeError {
    ServeError::Tls { path: path.to_owned(), why: why.to_string() }
}
