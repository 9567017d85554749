//! How a server proves that it is the one that was named.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Why nothing can be proved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    #[error("the certificates in {} can't be read: name a file in PEM as sslrootcert ({source})", path.display())]
    Root {
        path: PathBuf,
        source: rustls::pki_types::pem::Error,
    },
    #[error(
        "this machine has no certificates to know a server by: install them (on Debian `ca-certificates`), or \
         name a file as sslrootcert"
    )]
    NoRoots,
    #[error("the certificates to know a server by can't be used: {0}")]
    Rustls(#[from] rustls::Error),
}

/// Who is known by the certificates in a file, or else by the system's. They are read with each connection:
/// certificates are exchanged while programs run.
pub(crate) fn connector(root: Option<&Path>) -> Result<MakeRustlsConnect, TlsError> {
    let mut roots = RootCertStore::empty();
    match root {
        Some(path) => {
            let wrong = |source| TlsError::Root {
                path: path.to_owned(),
                source,
            };
            for certificate in CertificateDer::pem_file_iter(path).map_err(wrong)? {
                roots.add(certificate.map_err(wrong)?)?;
            }
        }
        None => {
            let found = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(found.certs);
        }
    }
    if roots.is_empty() {
        return Err(TlsError::NoRoots);
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
