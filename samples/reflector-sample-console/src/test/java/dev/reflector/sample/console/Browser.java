package dev.reflector.sample.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static org.awaitility.Awaitility.await;

/**
 * A headless Chromium, one for all classes: its start takes some seconds.
 */
final class Browser {

	private static Browser started;

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Finds the browser, or starts it. The test is skipped where Chromium and its driver
	 * are not installed.
	 * @param profile folder for what the browser writes
	 * @return the browser
	 */
	static synchronized Browser get(Path profile) {
		if (started == null) {
			started = start(profile);
			Runtime.getRuntime().addShutdownHook(new Thread(started.driver::quit));
		}
		return started;
	}

	private static Browser start(Path profile) {
		Path chromium = find("chromium", "chromium-browser", "google-chrome");
		Path driver = find("chromedriver");
		Assumptions.assumeTrue(chromium != null && driver != null,
				"Chromium and chromedriver are not on the PATH: the page is not tested in a browser");
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.toString());
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--disable-extensions", "--hide-scrollbars", "--window-size=1280,800",
				"--user-data-dir=" + profile);
		// otherwise it starts dozens of processes, one for each page, and some in advance
		options.addArguments("--process-per-site", "--in-process-gpu", "--enable-features=NetworkServiceInProcess",
				"--disable-features=SpareRendererForSitePerProcess,BackForwardCache,MediaRouter,OptimizationHints");
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		ChromeDriver browser = new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile()).usingAnyFreePort().build(),
				options);
		browser.manage().timeouts().pageLoadTimeout(Duration.ofSeconds(60));
		return new Browser(browser);
	}

	private static Path find(String... programs) {
		return Stream.of(programs)
			.flatMap((program) -> Stream.of(System.getenv().getOrDefault("PATH", "").split(java.io.File.pathSeparator))
				.map((folder) -> Path.of(folder, program)))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	void open(String url) {
		this.driver.get("about:blank");
		this.driver.get(url);
	}

	/** Leaves the page, and forgets what it has written. */
	void leave() {
		this.driver.get("about:blank");
		errors();
	}

	/** Sets the color scheme that the user prefers, and the size of the window. */
	void view(String scheme, int width, int height) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
	}

	/** Looks less often than other tests do: each look keeps the browser busy. */
	ConditionFactory waiting() {
		return await().pollInterval(Duration.ofMillis(250))
			.ignoreException(StaleElementReferenceException.class)
			.ignoreException(NoSuchElementException.class);
	}

	List<WebElement> all(String testid) {
		return this.driver.findElements(By.cssSelector("[data-testid='" + testid + "']"));
	}

	WebElement one(String testid) {
		return this.driver.findElement(By.cssSelector("[data-testid='" + testid + "']"));
	}

	WebElement row(String key) {
		return this.driver.findElement(By.cssSelector("[data-testid='object-row'][data-key='" + key + "']"));
	}

	boolean has(String selector) {
		return !this.driver.findElements(By.cssSelector(selector)).isEmpty();
	}

	Object script(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/** Presses keys, wherever the focus is. */
	void press(CharSequence... keys) {
		new Actions(this.driver).sendKeys(keys).perform();
	}

	/** The test id of what has the focus, or an empty string. */
	String focused() {
		return (String) script("return document.activeElement?.dataset.testid ?? ''");
	}

	/** Returns the warnings and errors in the browser's log. */
	List<String> errors() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	/** The rules that axe-core finds broken, with the elements. */
	@SuppressWarnings("unchecked")
	List<String> violations() {
		// wait for animations: a row that has just changed flashes in other colors
		waiting().until(() -> Boolean.TRUE.equals(script("return document.getAnimations().length === 0")));
		script(axe());
		return (List<String>) this.driver.executeAsyncScript(
				"""
						const done = arguments[arguments.length - 1];
						axe.run({ preload: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then((found) =>
							done(found.violations.flatMap((it) => it.nodes.map((node) =>
								`${it.id}: ${node.html} ${node.failureSummary}`))), (failure) => done([String(failure)]));
						""");
	}

	private static String axe() {
		try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Takes a picture for the guide, when {@code -Dscreenshots=FOLDER} asks for some. */
	void picture(String name) {
		String folder = System.getProperty("screenshots", "");
		if (folder.isEmpty()) {
			return;
		}
		try {
			// the newest data is at the edge of the timeline
			await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
			Path target = Path.of(folder);
			Files.createDirectories(target);
			Files.write(target.resolve(name + ".png"), this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
