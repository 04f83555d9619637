package dev.reflector.sample.console;

import java.util.List;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Breaks the server with the buttons of the page, and sees there how the reflector heals.
 */
class BrokenServerBrowserTests extends PageInBrowser {

	/** All of them with {@code -Dtests.full=true}. */
	static List<String> faults() {
		return FULL ? List.of("drop", "compact", "throttle", "silence", "garbage", "restart") : List.of("restart");
	}

	@ParameterizedTest
	@Order(1)
	@MethodSource("faults")
	void theReflectorHealsAfterEachFault(String fault) {
		open("/");
		browser.waiting().until(() -> browser.one("fault-" + fault).isDisplayed());
		browser.one("fault-" + fault).click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("story").getDomAttribute("data-outcome")).isEqualTo("healed"));
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("sides").getText()).startsWith("The mirror is the server"));
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.one("state").getDomAttribute("data-state")).isEqualTo("WATCHING");
			assertThat(browser.all("story-step")).isNotEmpty();
		});
		if (fault.equals("restart")) {
			browser.picture("console-healed");
			browser.view("dark", 1280, 800);
			browser.picture("console-healed-dark");
		}
		String before = browser.one("matching").getText();
		browser.one("create-widget").click();
		browser.waiting().untilAsserted(() -> assertThat(browser.one("matching").getText()).isNotEqualTo(before));
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(2)
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

	@Test
	@EnabledIfSystemProperty(named = "tests.full", matches = "true", disabledReason = "runs with -Dtests.full=true")
	@Order(2)
	void aSlowLinkIsSeenAndCatchesUp() {
		open("/");
		browser.waiting().until(() -> browser.one("fault-slow-link").isDisplayed());
		browser.one("fault-slow-link").click();
		browser.waiting().until(() -> browser.one("fault-end-slow-link").isDisplayed());
		browser.one("create-widget").click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("sides").getDomAttribute("data-same")).isEqualTo("false"));
		browser.one("fault-end-slow-link").click();
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.one("story").getDomAttribute("data-outcome")).isEqualTo("healed");
			assertThat(browser.one("sides").getDomAttribute("data-same")).isEqualTo("true");
		});
		assertThat(browser.errors()).isEmpty();
	}

	/** After all faults the pages have most to show. */
	@ParameterizedTest
	@Order(3)
	@CsvSource({ "/,object-row,console-page", "/reflectors/,reflector,console-overview" })
	void nothingKeepsPeopleFromUsingThePage(String path, String awaited, String picture) {
		checkThatPeopleCanUse(path, awaited, picture);
	}

}
