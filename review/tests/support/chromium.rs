//! A real browser in front of a real server: headless Chromium behind its driver, waited for by what it shows.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use review::{Site, router};
use serde_json::{Value, json};

/// Long enough for a busy machine; nothing waits this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// Puts a site on a free port of this machine, and gives its address.
pub(crate) async fn serve(site: &Site) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let service = router(site.clone()).into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

/// The driver, until it is dropped.
struct Driver {
    child: Child,
    address: String,
}

impl Driver {
    fn start() -> Self {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start ({error}): run scripts/setup"));
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.find_map(|line| {
            let line = line.unwrap();
            Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned())
        });
        // Whatever else it says must be read, or it waits for us.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: format!("http://127.0.0.1:{}", ready.unwrap()) }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Somebody in front of the screen.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) client: Client,
    pub(crate) at: String,
}

/// Lets somebody do something in a browser, and closes it whatever comes of that. Downloads go to `folder`.
pub(crate) async fn drive<F: Future<Output = ()> + Send + 'static>(
    site: &Site,
    folder: &Path,
    story: impl FnOnce(Person) -> F,
) {
    let at = serve(site).await;
    let driver = Driver::start();
    let profile = tempfile::tempdir().unwrap();
    let args = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1600,1000",
        &format!("--user-data-dir={}", profile.path().display()),
    ];
    let options = json!({ "args": args, "prefs": { "download.default_directory": folder, "download.prompt_for_download": false } });
    let wanted = json!({ "goog:chromeOptions": options });
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let Value::Object(wanted) = wanted else { panic!("capabilities are an object") };
    let client = builder.capabilities(wanted).connect(&driver.address).await.unwrap();
    let outcome = tokio::spawn(story(Person { client: client.clone(), at })).await;
    client.close().await.unwrap();
    drop(driver);
    if let Err(error) = outcome {
        std::panic::resume_unwind(error.into_panic());
    }
}

impl Person {
    /// Opens a page.
    pub(crate) async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.at)).await.unwrap();
    }

    /// Presses keys one after the other, each down and up.
    pub(crate) async fn press(&self, keys: &str) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for value in keys.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Waits until a script's expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let begun = std::time::Instant::now();
        loop {
            // A page that is just going away has no answer.
            let answer = self.client.execute(&format!("return Boolean({expression})"), Vec::new()).await;
            if matches!(answer, Ok(Value::Bool(true))) {
                return;
            }
            if begun.elapsed() > PATIENCE {
                let page = self.client.source().await.unwrap_or_default();
                let url = self.client.current_url().await.map(|url| url.to_string()).unwrap_or_default();
                panic!("never came true at {url}: {expression} ({answer:?})\n{page}");
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The value of a script's expression.
    pub(crate) async fn value(&self, expression: &str) -> Value {
        self.client.execute(&format!("return {expression}"), Vec::new()).await.unwrap()
    }

    /// Clicks what a selector finds, once it is there.
    pub(crate) async fn click(&self, selector: &str) {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}")).click().await.unwrap();
    }
}
