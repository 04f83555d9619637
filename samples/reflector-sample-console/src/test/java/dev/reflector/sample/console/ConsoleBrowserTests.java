package dev.reflector.sample.console;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks at the page with a real browser. Skipped where Chromium and its driver are not
 * installed.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=0s", "spring.reactor.netty.shutdown-quiet-period=100ms",
				"reflector.api-server.idle-timeout=4s" })
@DirtiesContext
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleBrowserTests {

	private static Browser browser;

	@LocalServerPort
	private int port;

	@BeforeAll
	// some processes of the browser write on while it is being quit
	static void startBrowser(@TempDir(cleanup = CleanupMode.NEVER) Path profile) {
		browser = Browser.start(profile);
	}

	@AfterAll
	static void stopBrowser() {
		if (browser != null) {
			browser.close();
		}
	}

	@BeforeEach
	void forgetErrors() {
		browser.errors();
		browser.view("light", 1280, 800);
	}

	private void open(String path) {
		browser.open("http://127.0.0.1:" + this.port + path);
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("connection").getDomAttribute("data-state")).isEqualTo("live"));
	}

	@Test
	@Order(1)
	void aChangeAppearsThroughTheStream() {
		open("/");
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.one("state").getDomAttribute("data-state")).isEqualTo("WATCHING");
			assertThat(browser.all("object-row")).hasSize(5);
		});
		browser.script("window.sameAsBefore = true");
		browser.one("create-widget").click();
		browser.waiting().untilAsserted(() -> assertThat(browser.row("default/widget-6").isDisplayed()).isTrue());
		assertThat(browser.script("return window.sameAsBefore")).isEqualTo(true);
		assertThat(browser.errors()).isEmpty();
	}

	@ParameterizedTest
	@Order(2)
	@ValueSource(strings = { "drop", "compact", "gone", "throttle", "silence", "garbage", "restart" })
	void theReflectorHealsAfterEachFault(String fault) {
		open("/");
		browser.waiting().until(() -> browser.one("fault-" + fault).isDisplayed());
		browser.one("fault-" + fault).click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("story").getDomAttribute("data-outcome")).isEqualTo("healed"));
		assertThat(browser.one("state").getDomAttribute("data-state")).isEqualTo("WATCHING");
		assertThat(browser.all("story-step")).isNotEmpty();
		if (fault.equals("compact")) {
			browser.picture("console-healed");
			browser.view("dark", 1280, 800);
			browser.picture("console-healed-dark");
		}
		browser.one("create-widget").click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("announcer").getDomProperty("textContent")).isNotNull());
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(3)
	void aSlowListenerIsSeenAndCatchesUp() {
		open("/");
		browser.waiting().until(() -> browser.one("fault-slow-listener").isDisplayed());
		browser.one("fault-slow-listener").click();
		browser.one("create-widget").click();
		browser.waiting()
			.until(() -> browser.has("[data-testid='timeline-span'][data-kind='SLOW_LISTENER']")
					|| browser.has("[data-testid='timeline-entry'][data-kind='SLOW_LISTENER']"));
		browser.waiting().until(() -> browser.one("fault-end-slow-listener").isDisplayed());
		browser.one("fault-end-slow-listener").click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("story").getDomAttribute("data-outcome")).isEqualTo("healed"));
		assertThat(browser.errors()).isEmpty();
	}

	@ParameterizedTest
	@Order(4)
	@CsvSource({ "light,1280,800", "dark,1280,800", "light,390,844", "dark,390,844" })
	void nothingKeepsPeopleFromUsingThePage(String scheme, int width, int height) {
		browser.view(scheme, width, height);
		open("/");
		browser.waiting().until(() -> !browser.all("object-row").isEmpty());
		assertThat(browser.violations()).isEmpty();
		if (width < 500) {
			browser.picture("console-phone" + (scheme.equals("dark") ? "-dark" : ""));
		}
		open("/reflectors/");
		browser.waiting().until(() -> browser.all("reflector").size() == 2);
		assertThat(browser.violations()).isEmpty();
		browser.picture("console-overview" + ((width < 500) ? "-phone" : "") + (scheme.equals("dark") ? "-dark" : ""));
		open("/reflectors/#/widgets?object=default/widget-1");
		browser.waiting().until(() -> !browser.all("object-tree").isEmpty());
		assertThat(browser.violations()).isEmpty();
		assertThat(browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
			.as("nothing is wider than the window")
			.isEqualTo(true);
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(5)
	void ordersAreGiven() {
		open("/reflectors/#/deployments");
		browser.waiting().until(() -> browser.one("operation-verify").isDisplayed());
		browser.one("operation-verify").click();
		browser.waiting().untilAsserted(() -> {
			List<String> confirm = browser.all("operation-confirm").stream().map((it) -> {
				if (it.isDisplayed()) {
					it.click();
				}
				return it.getText();
			}).toList();
			assertThat(browser.one("operation-message").getText()).as(confirm.toString()).contains("the mirror is the same");
		});
		assertThat(browser.errors()).isEmpty();
	}

}
