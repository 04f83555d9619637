package dev.reflector.sample.console;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page with a large mirror, and while the application behind it is restarted. Skipped
 * where Chromium and its driver are not installed.
 */
@Tag("browser")
class ManyObjectsBrowserTests {

	/** {@code -Dtests.rows=50000} sets how many. */
	private static final int OBJECTS = Integer.getInteger("tests.rows", !System.getProperty("screenshots", "").isEmpty()
			? 50_000 : Boolean.getBoolean("tests.full") ? 10_000 : 4_000);

	private static Browser browser;

	@BeforeAll
	static void startBrowser(@TempDir(cleanup = CleanupMode.NEVER) Path profile) {
		browser = Browser.get(profile);
		browser.view("light", 1280, 800);
	}

	/** A page that is still open would miss its application. */
	@AfterEach
	void leave() {
		browser.leave();
	}

	private static ConfigurableApplicationContext start(int port, int objects) {
		return new SpringApplicationBuilder(ConsoleApplication.class).run("--server.port=" + port,
				"--console.churn.interval=0s", "--console.churn.objects=" + objects,
				"--spring.reactor.netty.shutdown-quiet-period=100ms", "--reflector.startup.timeout=60s");
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	/**
	 * A free port of those that no program is given for "any free port", so that it is
	 * still free after a restart.
	 */
	private static int lastingPort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// another one
			}
		}
	}

	@Test
	void manyObjectsAreScrolledSearchedAndFilteredWithFewRows() {
		// five more change
		String all = number(OBJECTS + 5);
		// each third one of a tenth of them
		String filtered = "(" + number(OBJECTS / 30) + "|" + number(OBJECTS / 30 + 1) + ")";
		try (ConfigurableApplicationContext context = start(0, OBJECTS)) {
			browser.open("http://127.0.0.1:" + port(context) + "/reflectors/#/widgets");
			browser
				.script("""
						window.longTasks = [];
						new PerformanceObserver((list) => list.getEntries().forEach((it) => window.longTasks.push(it.duration)))
							.observe({ type: 'longtask', buffered: true });
						""");
			browser.waiting().untilAsserted(() -> {
				assertThat(browser.one("matching").getText()).contains(all);
				assertThat(browser.all("object-row")).isNotEmpty();
			});
			browser.waiting().untilAsserted(() -> {
				browser.script("arguments[0].scrollTop = arguments[0].scrollHeight", browser.one("objects"));
				assertThat(browser.row("team-9/widget-%05d".formatted(OBJECTS - 2)).isDisplayed()).isTrue();
			});
			assertThat(browser.all("object-row")).hasSizeBetween(5, 120);
			browser.one("search").sendKeys("widget-0321");
			browser.waiting().untilAsserted(() -> {
				assertThat(browser.one("matching").getText()).startsWith("10 of " + all);
				assertThat(browser.row("team-1/widget-03210").isDisplayed()).isTrue();
			});
			browser.picture("console-objects");
			browser.one("search").clear();
			browser.one("search").sendKeys("team-7");
			browser.one("label").sendKeys("app=web");
			browser.waiting().untilAsserted(() -> {
				assertThat(browser.one("matching").getText()).matches(filtered + " of " + all + ".*");
				assertThat(browser.all("object-row")).hasSizeBetween(5, 120);
			});
			@SuppressWarnings("unchecked")
			List<Number> longTasks = (List<Number>) browser.script("return window.longTasks");
			System.out.println("Long tasks of the page with " + all + " objects, in milliseconds: " + longTasks);
			assertThat(browser.errors()).isEmpty();
		}
	}

	private static String number(int number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	@Test
	void thePageSurvivesARestartOfTheApplication() throws IOException {
		int port;
		try (ConfigurableApplicationContext context = start(lastingPort(), 0)) {
			port = port(context);
			browser.open("http://127.0.0.1:" + port + "/");
			browser.waiting().until(() -> browser.all("object-row").size() == 5);
			browser.script("window.sameAsBefore = true");
		}
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("connection").getDomAttribute("data-state")).isEqualTo("lost"));
		try (ConfigurableApplicationContext context = start(port, 0)) {
			assertThat(port(context)).isEqualTo(port);
			browser.waiting()
				.untilAsserted(
						() -> assertThat(browser.one("connection").getDomAttribute("data-state")).isEqualTo("live"));
			// which is so a moment after the stream is there
			browser.waiting().until(() -> browser.one("create-widget").isEnabled());
			browser.one("create-widget").click();
			browser.waiting().untilAsserted(() -> assertThat(browser.row("default/widget-6").isDisplayed()).isTrue());
			assertThat(browser.script("return window.sameAsBefore")).isEqualTo(true);
			assertThat(browser.errors()).allMatch((error) -> isOfAnOutage(error, port), "is of the outage");
		}
	}

	/**
	 * Whether the browser logged this error because a request of the page was not
	 * answered.
	 */
	private static boolean isOfAnOutage(String error, int port) {
		return error.matches("http://127\\.0\\.0\\.1:" + port
				+ "/(faults|sides|reflectors/api/\\S+) - Failed to load resource: net::ERR_[A-Z_]+");
	}

}
