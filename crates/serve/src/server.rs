//! The server itself: a port, a token, a worker, an end.

use crate::connections::Connections;
use crate::gate::Gate;
use crate::host::Host;
use crate::job::STACK;
use crate::routes::{Context, router};
use crate::shared::Shared;
use crate::token::Token;
use crate::worker::Worker;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use zonewalk_checker::load::Loaded;

/// For requests and a query that are under way when the server ends.
const GRACE: Duration = Duration::from_millis(300);

/// A server that has a port, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    port: u16,
    token: Token,
    stopper: Stopper,
}

/// Ends a server, from any thread.
#[derive(Clone)]
pub struct Stopper {
    shared: Arc<Shared>,
    notify: Arc<Notify>,
}

impl Stopper {
    /// Ends the server and whatever is under way.
    pub fn stop(&self) {
        self.shared.stop();
        self.notify.notify_one();
    }
}

impl Server {
    /// Binds a port of the loopback address; 0 is any that is free.
    ///
    /// # Errors
    /// The port is taken, or the system has no source of chance.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let token = Token::new().map_err(io::Error::other)?;
        let stopper = Stopper {
            shared: Arc::default(),
            notify: Arc::default(),
        };
        Ok(Server {
            listener,
            port,
            token,
            stopper,
        })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token.reveal())
    }

    /// Ends it.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Serves a model until it is stopped.
    ///
    /// # Errors
    /// The system has no more threads or sockets.
    pub fn run(self, host: Arc<dyn Host>, loaded: Loaded) -> io::Result<()> {
        let Stopper { shared, notify } = self.stopper;
        let (sender, messages) = mpsc::channel();
        let worker = Worker::new(host, Arc::clone(&shared), messages);
        let worker = thread::Builder::new()
            .name("run".to_owned())
            .stack_size(STACK)
            .spawn(move || worker.run(loaded))?;
        let context = Context {
            worker: sender,
            shared: Arc::clone(&shared),
        };
        let routes = router(context, Arc::new(Gate::new(self.token, self.port)));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let stopped = Arc::clone(&notify);
            let (asked, mut is_asked) = tokio::sync::oneshot::channel::<()>();
            let end = async move {
                stopped.notified().await;
                let _ = asked.send(());
            };
            let serving = axum::serve(Connections::new(listener), routes).with_graceful_shutdown(end);
            let serving = std::future::IntoFuture::into_future(serving);
            tokio::pin!(serving);
            tokio::select! {
                served = &mut serving => served,
                _ = &mut is_asked => {
                    // Connections that are held open must not hold the server.
                    tokio::time::timeout(GRACE, serving).await.unwrap_or(Ok(()))
                }
            }
        });
        runtime.shutdown_timeout(GRACE);
        shared.stop();
        wait(|| worker.is_finished() && shared.job().is_none_or(|job| !job.is_running()));
        served
    }
}

/// Until something is so, or the patience is over: threads end with the process.
fn wait(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() && start.elapsed() < GRACE {
        thread::sleep(Duration::from_millis(5));
    }
}
