//! A real server, and clients that write the bytes themselves.

use std::net::SocketAddr;

use axum::Router;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Wire(SocketAddr);

impl Wire {
    /// Serves `router` until the runtime of the test ends.
    pub(crate) async fn serve(router: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self(address)
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.0).await.unwrap()
    }

    /// Sends one request on a connection of its own and reads until the server closes it: the
    /// head, and the body as it was framed.
    pub(crate) async fn exchange(&self, request: impl AsRef<[u8]>) -> (String, Vec<u8>) {
        let mut connection = self.connect().await;
        connection.write_all(request.as_ref()).await.unwrap();
        let mut reply = Vec::new();
        connection.read_to_end(&mut reply).await.unwrap();
        let end = reply.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(reply[..end].to_vec()).unwrap().to_ascii_lowercase();
        (head, reply.split_off(end + 4))
    }
}
