//! Serves the payment API until it is told to stop.

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use payments::Service;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

/// How long payments that are under way may take after the server was told to stop.
const GRACE: Duration = Duration::from_secs(20);

#[tokio::main]
async fn main() -> ExitCode {
    tracing_subscriber::fmt().without_time().with_target(false).init();
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let file = env::var_os("PAYMENTS_DB").map_or_else(|| "payments.db".into(), PathBuf::from);
    let address = env::var("PAYMENTS_LISTEN").unwrap_or_else(|_| "127.0.0.1:3000".to_owned());
    let service = Service::open(&file).await?;
    let listener =
        TcpListener::bind(&address).await.map_err(|error| format!("{address}: {error}"))?;
    tracing::info!(
        "serving http://{}, accounts and keys are in {}",
        listener.local_addr()?,
        file.display()
    );

    axum::serve(listener, service.router()).with_graceful_shutdown(told_to_stop()).await?;
    // Payments whose clients have left run on; what the grace cuts off is recovered by its lease.
    if timeout(GRACE, service.shutdown()).await.is_err() {
        tracing::warn!("stopped while a payment was under way");
    }
    Ok(())
}

/// Ends when the process is interrupted or terminated.
async fn told_to_stop() {
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => terminate.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated => {}
    }
}

/// The error and what it comes from, on one line.
fn with_causes(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line = format!("{line}: {error}");
        cause = error.source();
    }
    line
}
