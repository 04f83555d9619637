// The console for the reflectors of an application. Shows all reflectors or one reflector,
// depending on the address.

import { Api } from "./api.js";
import { element, number, setAttribute, setText, timeOfDay } from "./dom.js";
import { Model } from "./model.js";
import { Overview } from "./overview.js";
import { readAddress } from "./address.js";
import { ReflectorPage } from "./reflector.js";
import { patterns, shape } from "./shapes.js";
import { Stream } from "./stream.js";
import { stateWords } from "./words.js";
import { themeButton } from "./theme.js";
import { entriesOf, entryText, entryTitle, kindOf, sign } from "./timeline.js";

const connections = {
	connecting: ["Connecting…", "STARTING"],
	live: ["Live", "WATCHING"],
	lost: ["Connection lost", "BACKING_OFF"],
	expired: ["Session ended", "BACKING_OFF"]
};

// Shortest time between two announcements for screen readers. Texts that come within this
// time are announced together.
const SPOKEN = 1500;

// Used in place of a reflector's name for announcements that the user has requested. No
// reflector has this name.
const ANSWER = "";

class Console {
	#api;

	#page = null;

	#states = new Map();

	#said = [];

	#saying = null;

	constructor(root, { base, reflector, seconds }) {
		this.#api = new Api(base);
		this.first = reflector ?? "";
		this.seconds = seconds;
		this.root = root;
		this.model = new Model();
		this.stream = new Stream(this.#api, this.model);
		this.connection = element(
			"span",
			{ class: "rc-connection", "data-testid": "connection", role: "status" },
			element("span", { class: "rc-state-shape" }),
			element("span", { class: "rc-connection-title" })
		);
		this.application = element("span", { class: "rc-application" });
		this.banner = element(
			"div",
			{ class: "rc-banner", role: "alert", "data-testid": "lost-banner", hidden: true },
			element("p"),
			element("button", { type: "button", class: "rc-button", onclick: () => location.reload() }, "Reload the page")
		);
		this.announcer = element("p", { class: "rc-hidden", "aria-live": "polite", "data-testid": "announcer" });
		this.main = element("div", { class: "rc-main" });
		root.classList.add("rc-root");
		root.dataset.testid = "console";
		root.replaceChildren(
			patterns(),
			element(
				"div",
				{ class: "rc-bar" },
				element("a", { class: "rc-home", href: "#/" }, mark(), "Reflector console"),
				this.application,
				this.connection,
				themeButton()
			),
			this.banner,
			this.main,
			this.announcer
		);
		this.model.subscribe((change) => this.#changed(change));
		this.onhash = () => this.#route(true);
		this.onkey = (event) => this.#key(event);
		addEventListener("popstate", this.onhash);
		document.addEventListener("keydown", this.onkey);
		this.ticking = setInterval(() => document.hidden || this.#tick(), 1000);
		this.#route(false);
		this.#showConnection();
		this.stream.open();
	}

	destroy() {
		this.stream.close();
		clearInterval(this.ticking);
		clearTimeout(this.#saying);
		removeEventListener("popstate", this.onhash);
		document.removeEventListener("keydown", this.onkey);
		this.#page?.destroy();
		this.root.replaceChildren();
	}

	// Returns the CSRF token that a request with a change must send: { header, token }, or null.
	csrf() {
		return this.#api.csrf;
	}

	// Returns descriptions of the events of a reflector since a time, without bookmarks: { key,
	// at, kind, title, text, sign } each.
	happened(name, since) {
		const mirror = this.model.mirrors.get(name);
		return mirror
			? entriesOf(mirror, { bookmarks: false, since }).map((entry) => ({
					key: entry.key,
					at: entry.first ?? entry.at,
					kind: kindOf(entry),
					title: entryTitle(entry) + (entry.count ? ` × ${entry.count}` : ""),
					text: entryText(entry, this.model.now()),
					sign: sign(entry)
				}))
			: [];
	}

	#route(byUser) {
		const address = readAddress();
		if (location.hash === "" && this.first) {
			address.reflector = this.first;
		}
		const present = this.#page;
		if (address.reflector && present instanceof ReflectorPage && present.name === address.reflector) {
			present.go(address);
			return;
		}
		present?.destroy();
		if (!address.reflector) {
			this.#page = new Overview(this.model);
		} else if (!this.model.mirrors.has(address.reflector)) {
			this.#page = absent(address.reflector, this.model.loaded);
		} else {
			this.#page = new ReflectorPage(this.#api, this.model, address, {
				seconds: this.seconds,
				onexpired: () => this.model.connect("expired"),
				onanswer: (text) => this.#say(ANSWER, text)
			});
		}
		this.main.replaceChildren(this.#page.element);
		document.title = address.reflector ? `${address.reflector} · Reflector console` : "Reflector console";
		this.#page.start();
		if (byUser) {
			this.#page.focus();
			this.root.scrollIntoView({ block: "nearest" });
		}
	}

	#changed(change) {
		if (change.kind === "connection") {
			this.#showConnection();
			this.#page.tick?.();
			return;
		}
		setText(this.application, this.model.application);
		const shown = this.#page;
		const gone = shown instanceof ReflectorPage && !this.model.mirrors.has(shown.name);
		const arrived = shown.missing && (this.model.mirrors.has(shown.missing) || shown.waiting);
		if (gone || arrived) {
			this.#route(false);
		}
		this.#page.change?.(change);
		this.#announce();
	}

	#tick() {
		this.#page.tick?.();
	}

	#showConnection() {
		const { state, since } = this.model.connection;
		const [title, sign] = connections[state];
		if (this.connection.dataset.state !== state) {
			this.connection.firstChild.replaceChildren(shape(sign));
		}
		setAttribute(this.connection, "data-state", state);
		setText(this.connection.lastChild, title);
		const gone = this.model.gone();
		this.root.classList.toggle("rc-lost", gone);
		const [text, reload] = this.banner.children;
		this.banner.hidden = !gone;
		reload.hidden = state !== "expired";
		setText(
			text,
			state === "lost"
				? `The application has not answered since ${timeOfDay(since)}. The page shows the last known state, and continues when the application answers again.`
				: state === "expired"
					? "Your session has ended. The page shows the last known state. Sign in again to continue."
					: ""
		);
	}

	// Announces only changes of a reflector's state, not each event.
	#announce() {
		for (const [name, { summary }] of this.model.mirrors) {
			const before = this.#states.get(name);
			if (before !== undefined && before !== summary.state) {
				this.#say(name, `${name}: ${stateWords(summary).title.toLowerCase()}`);
			}
			this.#states.set(name, summary.state);
		}
	}

	// Announces a text soon. If there are several texts for one name, only the last is
	// announced. An answer to the user is announced first.
	#say(name, text) {
		const others = this.#said.filter((it) => it.name !== name);
		this.#said = name === ANSWER ? [{ name, text }, ...others] : [...others, { name, text }];
		this.#saying ??= setTimeout(() => {
			const some = this.#said.slice(0, 3).map((it) => it.text);
			const more = this.#said.length - some.length;
			// set even if the text is the same as before, so that screen readers announce
			// it again
			this.announcer.textContent = `${some.join(". ")}${more > 0 ? `, and ${number(more)} more` : ""}`;
			this.#said = [];
			this.#saying = null;
		}, SPOKEN);
	}

	#key(event) {
		const typing = event.target.closest?.("input, select, textarea, dialog, [contenteditable]");
		if (typing || event.ctrlKey || event.metaKey || event.altKey) {
			return;
		}
		if (event.key === "/" && this.#page.focusSearch) {
			event.preventDefault();
			this.#page.focusSearch();
		} else if (event.key === "Escape") {
			this.#page.closeObject?.();
		}
	}
}

// Shown in place of the page of a reflector that does not exist or is not known yet.
function absent(name, known) {
	const title = element("h2", { tabindex: -1 }, known ? "There is no such reflector" : "Reading…");
	const box = element(
		"section",
		{ class: "rc-panel rc-none", "data-testid": "absent" },
		title,
		known
			? element(
					"p",
					{},
					`The application has no reflector named “${name}”. It may have been removed, or the name may have changed.`
				)
			: null,
		element("p", {}, element("a", { href: "#/" }, "All reflectors"))
	);
	return { missing: name, waiting: !known, element: box, start() {}, destroy() {}, focus: () => title.focus() };
}

// The logo of the console: a shape and its reflection.
const mark = () => shape("sign", { class: "rc-shape rc-sign" });

// base: the path of the console, such as /reflectors. reflector and seconds: the reflector
// and the length of time that are shown first, if the address does not name them.
// The surrounding page may use these members of the returned object: model, happened,
// csrf and destroy.
export function mount(root, options = {}) {
	const base = (options.base ?? new URL("..", import.meta.url).pathname).replace(/\/$/, "");
	return new Console(root, { ...options, base });
}
