package dev.reflector.sample.console;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real browser, and the application whose page it shows. Tests are skipped where
 * Chromium and its driver are not installed.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=0s", "spring.reactor.netty.shutdown-quiet-period=100ms",
				"reflector.api-server.idle-timeout=4s" })
@DirtiesContext
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("browser")
abstract class PageInBrowser {

	static final boolean FULL = Boolean.getBoolean("tests.full");

	/** Otherwise a phone has the dark scheme, and other screens the light one. */
	private static final boolean ALL = !System.getProperty("screenshots", "").isEmpty();

	static Browser browser;

	@LocalServerPort
	int port;

	@BeforeAll
	// some processes of the browser write on while it is being quit
	static void startBrowser(@TempDir(cleanup = CleanupMode.NEVER) Path profile) {
		browser = Browser.get(profile);
	}

	@AfterAll
	static void leavePage() {
		if (browser != null) {
			browser.open("about:blank");
		}
	}

	@BeforeEach
	void forgetErrors() {
		browser.errors();
		browser.view("light", 1280, 800);
	}

	final void open(String path) {
		browser.open("http://127.0.0.1:" + this.port + path);
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("connection").getDomAttribute("data-state")).isEqualTo("live"));
	}

	/**
	 * Checks accessibility and width of a page, on a large and on a small screen.
	 * @param path the page
	 * @param awaited what it shows
	 * @param picture name of its picture
	 */
	final void checkThatPeopleCanUse(String path, String awaited, String picture) {
		// there is a change to be shown
		browser.open("http://127.0.0.1:" + this.port + "/");
		browser.script("return fetch('/api/widgets/widget-1', { method: 'PUT' })");
		open(path);
		browser.waiting().until(() -> !browser.all(awaited).isEmpty());
		for (String scheme : List.of("light", "dark")) {
			for (int width : new int[] { 1280, 390 }) {
				boolean phone = width < 500;
				// the long form looks at a light desktop and a dark phone, the short
				// form at one of them for each page
				if (!ALL && (phone != scheme.equals("dark") || (!FULL && phone != path.equals("/reflectors/")))) {
					continue;
				}
				String view = ((width < 500) ? "-phone" : "") + (scheme.equals("dark") ? "-dark" : "");
				browser.view(scheme, width, (width < 500) ? 844 : 800);
				browser.waiting().until(() -> browser.one(awaited).isDisplayed());
				assertThat(browser.violations()).as(path + view).isEmpty();
				// charts follow the size of the window a moment later
				browser.waiting()
					.untilAsserted(() -> assertThat(
							browser.script("return document.documentElement.scrollWidth <= window.innerWidth"))
						.as("the page fits the width of the window: " + path + view)
						.isEqualTo(true));
				browser.picture(picture + view);
			}
		}
		assertThat(browser.errors()).isEmpty();
	}

}
