//! Connections: how many there may be, and how long one may take over its first request.
//!
//! Any program of the machine can connect, and hold what it has opened. The page needs one connection for what is live and a few for requests.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// Connections at the same time. More wait until one is closed.
const MOST: usize = 64;

/// Time for the headers of the first request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where headers end.
const END: &[u8] = b"\r\n\r\n";

/// Accepts connections, but not too many at the same time.
pub(crate) struct Connections {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl Connections {
    pub(crate) fn new(listener: TcpListener) -> Connections {
        Connections {
            listener,
            free: Arc::new(Semaphore::new(MOST)),
        }
    }
}

impl axum::serve::Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            // Nobody closes the semaphore.
            let permit = Arc::clone(&self.free).acquire_owned().await.ok();
            match self.listener.accept().await {
                Ok((stream, address)) => return (Connection::new(stream, permit), address),
                // The other side may be gone already, or the process has no file left: others may be closed soon.
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection, which is closed when the headers of its first request do not come.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The end of the patience, as long as headers are waited for.
    end: Option<Pin<Box<Sleep>>>,
    /// Bytes of [`END`] that were read last.
    matched: usize,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Connection {
    fn new(stream: TcpStream, permit: Option<OwnedSemaphorePermit>) -> Connection {
        Connection {
            stream,
            end: Some(Box::pin(sleep_until(Instant::now() + PATIENCE))),
            matched: 0,
            _permit: permit,
        }
    }

    /// Looks for the end of the headers in what was read.
    fn see(&mut self, read: &[u8]) {
        if self.end.is_some() && ends_headers(&mut self.matched, read) {
            self.end = None;
        }
    }
}

/// Whether the headers end in these bytes, which come after others of which so many matched.
fn ends_headers(matched: &mut usize, read: &[u8]) -> bool {
    for &byte in read {
        *matched = match byte {
            _ if byte == END[*matched] => *matched + 1,
            b'\r' => 1,
            _ => 0,
        };
        if *matched == END.len() {
            return true;
        }
    }
    false
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Some(end) = &mut this.end
            && end.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        this.see(&buf.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_with_an_empty_line() {
        let ends = |pieces: &[&str]| {
            let mut matched = 0;
            pieces
                .iter()
                .any(|piece| ends_headers(&mut matched, piece.as_bytes()))
        };
        assert!(ends(&["GET / HTTP/1.1\r\nhost: a\r\n\r\n"]));
        assert!(ends(&["GET / HTTP/1.1\r", "\n\r", "\nmore"]));
        assert!(ends(&["a\r\r\n\r\n"]));
        assert!(!ends(&["GET / HTTP/1.1\r\nhost: a\r\n", "x: b\r\n"]));
    }
}
