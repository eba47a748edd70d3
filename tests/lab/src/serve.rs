//! One life of the server: from the socket to the drained end.

use std::error::Error;

use axum::Router;
use idem_axum::ReviewStore;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::app::App;
use crate::command_line::CommandLine;
use crate::effects::Effects;
use crate::seeds;

/// Serves until SIGTERM, then lets every handler end and every outcome be recorded.
pub(crate) async fn serve<St: ReviewStore + Clone>(
    store: St,
    effects: Effects,
    routes: Router<App<St>>,
    command_line: &CommandLine,
) -> Result<(), Box<dyn Error>> {
    let app = App::new(store, effects, command_line);
    let idempotency = app.idempotency();
    seeds::hold(idempotency.engine(), &idempotency.review(), command_line.seed_conflicts).await?;
    let janitor = idempotency.janitor().every(command_line.purge_every).spawn();
    // Before anybody is told that the lab listens, so that no SIGTERM that follows it can find the default action.
    let mut terminate = signal(SignalKind::terminate())?;
    let listener = TcpListener::bind(command_line.listen).await?;
    // The line that whoever started the lab waits for.
    println!("listening on http://{}", listener.local_addr()?);
    let terminated = async move {
        terminate.recv().await;
        tracing::info!("draining");
    };
    axum::serve(listener, routes.with_state(app)).with_graceful_shutdown(terminated).await?;
    janitor.stop().await;
    // Handlers whose clients left are no longer the server's: the engine waits for them.
    idempotency.shutdown().await;
    Ok(())
}
