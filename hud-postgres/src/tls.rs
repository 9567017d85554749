//! Verifying the identity of a server.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The error of verifying a server.
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
    #[error("{}", mend(.0))]
    Refused(CertificateError),
}

impl TlsError {
    /// The problem of the server's certificate, if that is why there is no connection.
    pub(crate) fn behind(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            // An `io::Error` returns the source of the error that it wraps, but not that error itself.
            let wrapped = error
                .downcast_ref::<io::Error>()
                .and_then(io::Error::get_ref);
            let found = match wrapped {
                Some(wrapped) => wrapped.downcast_ref(),
                None => error.downcast_ref(),
            };
            if let Some(rustls::Error::InvalidCertificate(reason)) = found {
                return Some(Self::Refused(reason.clone()));
            }
            next = error.source();
        }
        None
    }
}

/// The problem of a certificate, and a way to fix it.
fn mend(reason: &CertificateError) -> String {
    use CertificateError as E;
    match reason {
        E::Expired | E::ExpiredContext { .. } => {
            "its certificate ran out: it has to be renewed on the server, \
             unless the clock of this machine is wrong"
                .to_owned()
        }
        E::NotValidYet | E::NotValidYetContext { .. } => {
            "its certificate is not valid yet: see whether the clock of this machine is right"
                .to_owned()
        }
        E::NotValidForName | E::NotValidForNameContext { .. } => {
            "its certificate is for another name: name the server as its certificate does"
                .to_owned()
        }
        E::UnknownIssuer | E::BadSignature => {
            "nobody known here has issued its certificate: name a file with the \
             issuer's as sslrootcert, if you trust that"
                .to_owned()
        }
        other => {
            format!("its certificate is not valid ({other}): it has to be made anew on the server")
        }
    }
}

/// A connector that trusts the certificates in a file, or else those of the system. They are read for each
/// connection, because certificates are replaced while programs run.
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
