package dev.reflector.sample.console;

import java.nio.file.Path;

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

	static Browser browser;

	@LocalServerPort
	int port;

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

	final void open(String path) {
		browser.open("http://127.0.0.1:" + this.port + path);
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("connection").getDomAttribute("data-state")).isEqualTo("live"));
	}

}
