//! What the library writes to the log while a test runs.

use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::sync::OnceLock;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

thread_local! {
    static LINES: RefCell<Option<Vec<Line>>> = const { RefCell::new(None) };
}

/// The log of the current thread, from now until it is dropped.
pub(crate) struct Log(());

/// One event or one new span.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) level: Level,
    /// All fields with their values.
    pub(crate) text: String,
    /// The names of the spans it stands in, the outermost first.
    pub(crate) spans: Vec<&'static str>,
}

/// Installs what writes the lines, before anything is logged: a subscriber that comes while a log
/// statement is reached for the first time on another thread may never hear of it.
pub(super) fn install() {
    static INSTALLED: OnceLock<()> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let subscriber = tracing_subscriber::registry().with(ByThread);
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

impl Log {
    pub(crate) fn capture() -> Self {
        install();
        LINES.set(Some(Vec::new()));
        Self(())
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        LINES.with_borrow(|lines| lines.clone().unwrap_or_default())
    }

    /// The lines that hold `text`.
    pub(crate) fn with(&self, text: &str) -> Vec<Line> {
        self.lines().into_iter().filter(|line| line.text.contains(text)).collect()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        LINES.set(None);
    }
}

struct ByThread;

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for ByThread {
    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        let scope = context.event_scope(event);
        let spans = scope.into_iter().flat_map(|scope| scope.from_root().map(|span| span.name()));
        keep(Line { level: *event.metadata().level(), text: text.0, spans: spans.collect() });
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        let mut text = Text::default();
        attributes.record(&mut text);
        keep(Line { level: *attributes.metadata().level(), text: text.0, spans: Vec::new() });
    }
}

fn keep(line: Line) {
    LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.push(line)));
}

#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}
