package dev.reflector.sample.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Looks at the page with a real browser. Skipped where Chromium and its driver are not
 * installed.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "console.churn.interval=0s", "spring.reactor.netty.shutdown-quiet-period=100ms" })
@DirtiesContext
class ConsoleBrowserTests {

	/** States may be told late. */
	private static final String CHANGES = "#events .what:not(.STATE)";

	private static ChromeDriver browser;

	@LocalServerPort
	private int port;

	@BeforeAll
	// some processes of the browser write on while it is being quit
	static void startBrowser(@TempDir(cleanup = CleanupMode.NEVER) Path profile) {
		Path chromium = find("chromium", "chromium-browser", "google-chrome");
		Path driver = find("chromedriver");
		Assumptions.assumeTrue(chromium != null && driver != null,
				"Chromium and chromedriver are not on the PATH: the page is not tested in a browser");
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.toString());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--window-size=1300,900", "--user-data-dir=" + profile);
		browser = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile()).usingAnyFreePort().build(),
				options);
		browser.manage().timeouts().pageLoadTimeout(Duration.ofSeconds(60));
	}

	private static Path find(String... programs) {
		return Stream.of(programs)
			.flatMap((program) -> Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
				.map((folder) -> Path.of(folder, program)))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	@AfterAll
	static void stopBrowser() {
		if (browser != null) {
			browser.quit();
		}
	}

	@Test
	void thePageFollowsWhatItsButtonsDo() throws IOException {
		browser.get("http://127.0.0.1:" + this.port + "/");
		await().atMost(Duration.ofSeconds(30))
			.ignoreException(StaleElementReferenceException.class)
			.untilAsserted(() -> {
				assertThat(texts("#reflectors .state")).containsExactly("WATCHING", "WATCHING");
				assertThat(browser.findElements(By.cssSelector("#objects-widgets tr"))).hasSize(5);
				assertThat(browser.findElements(By.cssSelector("#objects-deployments tr"))).hasSize(3);
				assertThat(texts("#connection")).containsExactly("live");
				// no object of the start is to come between what follows
				assertThat(texts("#events .SYNCED")).hasSize(2);
			});
		browser.findElement(By.id("create")).click();
		await().atMost(Duration.ofSeconds(30))
			.ignoreException(StaleElementReferenceException.class)
			.untilAsserted(() -> {
				assertThat(browser.findElements(By.cssSelector("#objects-widgets tr"))).hasSize(6);
				assertThat(texts(CHANGES)).first().isEqualTo("ADDED");
			});
		click("tr[data-object=widget-6] .change");
		await().atMost(Duration.ofSeconds(30))
			.ignoreException(StaleElementReferenceException.class)
			.untilAsserted(() -> assertThat(texts(CHANGES)).first().isEqualTo("UPDATED"));
		screenshot();
		click("tr[data-object=widget-6] .delete");
		await().atMost(Duration.ofSeconds(30))
			.ignoreException(StaleElementReferenceException.class)
			.untilAsserted(() -> {
				assertThat(browser.findElements(By.cssSelector("#objects-widgets tr"))).hasSize(5);
				assertThat(texts(CHANGES)).first().isEqualTo("DELETED");
			});
	}

	private void click(String selector) {
		// the table is drawn anew each second
		await().atMost(Duration.ofSeconds(30)).ignoreException(StaleElementReferenceException.class).until(() -> {
			browser.findElement(By.cssSelector(selector)).click();
			return true;
		});
	}

	private static List<String> texts(String selector) {
		return browser.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList();
	}

	private static void screenshot() throws IOException {
		Path target = Path.of("target", "console.png");
		Files.createDirectories(target.getParent());
		Files.write(target, browser.getScreenshotAs(OutputType.BYTES));
	}

}
