package dev.reflector.sample.console;

import java.util.List;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Looks at the page with a real browser.
 */
class ConsoleBrowserTests extends PageInBrowser {

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

	@Test
	@Order(2)
	void nothingKeepsPeopleFromUsingThePageOfAnObject() {
		checkThatPeopleCanUse("/reflectors/#/widgets?object=default/widget-1", "object-tree", "console-object");
	}

	@Test
	@Order(3)
	void ordersAreGiven() {
		open("/reflectors/#/deployments");
		browser.waiting().untilAsserted(() -> {
			// otherwise there is nothing to compare with
			assertThat(browser.one("state").getDomAttribute("data-state")).isEqualTo("WATCHING");
			assertThat(browser.one("operation-verify").isDisplayed()).isTrue();
		});
		browser.one("operation-verify").click();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("operation-message").getText()).contains(" objects match."));
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(4)
	void theKeyboardIsEnough() {
		open("/reflectors/#/widgets");
		browser.waiting().until(() -> browser.all("object-row").size() >= 5);
		browser.press("/");
		awaitFocus("search");
		browser.press("w");
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("announcer").getDomProperty("textContent")).as("read out")
				.contains(browser.one("matching").getText()));
		assertThat(browser.one("search").getDomProperty("value")).isEqualTo("w");
		for (String next : List.of("namespace", "label", "objects")) {
			browser.press(Keys.TAB);
			awaitFocus(next);
		}
		browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_UP);
		awaitSecondRow();
		String key = (String) browser.script("return document.querySelector('#rc-row-1').dataset.key");
		browser.press(Keys.ENTER);
		awaitFocus("object-title");
		assertThat("default/" + browser.one("object-title").getText()).isEqualTo(key);
		browser.press(Keys.ESCAPE);
		awaitFocus("objects");
		assertThat(browser.all("object-view")).isEmpty();
		awaitSecondRow();
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(4)
	void theKeyboardWalksTheLifeOfAReflector() {
		open("/reflectors/#/widgets");
		browser.waiting().until(() -> browser.all("timeline-entry").size() >= 2);
		browser.script("document.querySelector(\"[data-testid='timeline-log']\").focus()");
		browser.press(Keys.ARROW_DOWN);
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.has("[data-testid='timeline-entry']:first-child[data-active]")).isTrue();
			assertThat(browser.has("[data-testid='timeline-place'][visibility='visible']")).isTrue();
		});
		browser.press(Keys.END);
		browser.waiting()
			.untilAsserted(
					() -> assertThat(browser.has("[data-testid='timeline-entry']:last-child[data-active]")).isTrue());
		assertThat(browser.script("""
				const last = document.querySelector("[data-testid='timeline-entry']:last-child strong").textContent;
				return document.querySelector(".rc-detail strong").textContent === last.replace(/ × \\d+$/, "");
				""")).isEqualTo(true);
		browser.press(Keys.ESCAPE);
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.has("[data-testid='timeline-entry'][data-active]")).isFalse());
		assertThat(browser.errors()).isEmpty();
	}

	private static void awaitFocus(String testid) {
		browser.waiting().untilAsserted(() -> assertThat(browser.focused()).isEqualTo(testid));
	}

	private static void awaitSecondRow() {
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.one("objects").getDomAttribute("aria-activedescendant")).isEqualTo("rc-row-1");
			assertThat(browser.has("#rc-row-1[data-active]")).isTrue();
		});
	}

	@Test
	@Order(5)
	void onAPhoneNothingButTheOpenObjectIsReached() {
		browser.view("light", 390, 844);
		open("/reflectors/#/widgets");
		browser.waiting().until(() -> browser.row("default/widget-2").isDisplayed());
		browser.row("default/widget-2").click();
		awaitFocus("object-title");
		awaitModal(true);
		for (int i = 0; i < 10; i++) {
			browser.press(Keys.TAB);
			assertThat(browser.script("""
					const focused = document.activeElement;
					return focused === document.body || focused.closest("[data-testid='object-view']") !== null;
					""")).isEqualTo(true);
		}
		browser.view("light", 1280, 800);
		awaitModal(false);
		browser.view("light", 390, 844);
		awaitModal(true);
		browser.one("object-close").click();
		awaitFocus("objects");
		assertThat(browser.has("[inert]")).isFalse();
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.one("objects").getDomAttribute("aria-activedescendant"))
				.isEqualTo(browser.row("default/widget-2").getDomAttribute("id")));
		assertThat(browser.errors()).isEmpty();
	}

	private static void awaitModal(boolean modal) {
		browser.waiting().untilAsserted(() -> {
			assertThat(browser.one("object-view").getDomAttribute("aria-modal")).isEqualTo(String.valueOf(modal));
			assertThat(browser.has("[inert] [data-testid='objects']")).isEqualTo(modal);
		});
	}

	@Test
	@Order(6)
	void aServerThatIsNotHeardForTwoBookmarksIsNotInStep() {
		open("/reflectors/");
		browser.script("""
				import("/reflectors/assets/model.js").then(({ Model }) => {
					const model = new Model();
					const marks = [0, 2000, 4000, 6000].map((at, id) => ({ id, kind: "BOOKMARK", at }));
					const watched = { name: "a", state: "WATCHING", connected: true, lastContactAt: 6000 };
					model.frame({ now: 6000, reflectors: [watched], timeline: { a: { marks } } }, true);
					const mirror = model.mirrors.get("a");
					window.silences = [8000, 10000, 10001].map((now) => mirror.silence(now)).join(" ");
					// two namespaces, each with its own watch, and bookmarks soon after each other
					const both = ["x", "y"].flatMap((scope, id) =>
						[0, 2000, 4000, 6000].map((at) => ({ id, kind: "BOOKMARK", scope, at: at + 100 * id }))
					);
					const two = { ...watched, name: "b" };
					model.frame({ now: 6000, reflectors: [two], timeline: { b: { marks: both } } }, true);
					window.silences += " " + model.mirrors.get("b").silence(10000);
				});
				""");
		browser.waiting()
			.untilAsserted(() -> assertThat(browser.script("return window.silences")).isEqualTo("0 0 4001 0"));
		assertThat(browser.errors()).isEmpty();
	}

}
