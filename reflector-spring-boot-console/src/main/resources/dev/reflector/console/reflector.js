// The page of one reflector.

import { newBadge, updateBadge } from "./badge.js";
import { Charts } from "./charts.js";
import { SessionExpired } from "./api.js";
import { ago, duration, element, number, setAttribute, setText } from "./dom.js";
import { writeAddress } from "./address.js";
import { ObjectTable } from "./table.js";
import { ObjectView } from "./object.js";
import { Operations } from "./operations.js";
import { Parts } from "./parts.js";
import { objectKey } from "./row.js";
import { Timeline } from "./timeline.js";
import { facts, stateWords } from "./words.js";

const WINDOW = 300;

// Largest number of namespaces that are listed by name.
const NAMED = 5;

export class ReflectorPage {
	#api;

	#model;

	#onexpired;

	#view = null;

	// options: seconds, the length of time that is shown at first; onexpired(); onanswer(text),
	// called with the result of a search or filter
	constructor(api, model, address, { seconds = WINDOW, onexpired, onanswer }) {
		this.seconds = seconds;
		this.#api = api;
		this.#model = model;
		this.#onexpired = onexpired;
		this.address = address;
		const name = address.reflector;
		this.name = name;
		this.badge = newBadge();
		this.explanation = element("p", { class: "rc-explanation" });
		this.resource = element("p", { class: "rc-resource rc-muted" });
		this.failure = element("p", { class: "rc-failure", "data-testid": "failure" });
		this.facts = new Map(
			Object.entries(facts).map(([id, [title, text]]) => [
				id,
				{ title, text, value: element("dd", { "data-testid": `fact-${id}` }) }
			])
		);
		this.operations = new Operations(api, name, onexpired);
		this.parts = new Parts();
		this.timeline = new Timeline({
			seconds: Number(address.window) || seconds,
			onwindow: (size) => {
				this.#write({ window: String(size) }, false);
				this.charts.show(size);
			}
		});
		this.charts = new Charts(api, name, Number(address.window) || seconds);
		this.table = new ObjectTable(api, name, {
			query: this.#query(),
			onexpired,
			onanswer,
			onquery: (query) => this.#write(query, false),
			onopen: (item) => this.#open(objectKey(item), true)
		});
		this.side = element("div", { class: "rc-side-room" });
		this.element = element(
			"article",
			{ class: "rc-page", "aria-labelledby": "rc-page-title" },
			element(
				"header",
				{ class: "rc-page-head" },
				element(
					"div",
					{ class: "rc-page-title" },
					element("a", { class: "rc-back", href: "#/" }, "Reflectors"),
					element("h2", { id: "rc-page-title", "data-testid": "reflector-name", tabindex: -1 }, name),
					this.badge,
					this.resource
				),
				this.operations.element
			),
			element("div", { class: "rc-messages" }, this.explanation, this.operations.message, this.failure),
			this.timeline.element,
			element(
				"dl",
				{ class: "rc-facts" },
				...[...this.facts.values()].map(({ title, text, value }) =>
					element("div", { title: text }, element("dt", {}, title), value)
				)
			),
			element("div", { class: "rc-columns" }, this.timeline.logElement, this.charts.element),
			this.table.element,
			this.parts.element,
			this.side
		);
	}

	start() {
		this.table.start();
		this.#read();
		this.tick();
		if (this.address.object) {
			this.#open(this.address.object, false);
		}
	}

	destroy() {
		this.timeline.destroy();
		this.charts.destroy();
		this.table.destroy();
		this.#view?.destroy();
	}

	focus() {
		this.element.querySelector("h2").focus({ preventScroll: true });
	}

	// Called when a link or the back button leads to another address of the same reflector.
	go(address) {
		const before = this.address;
		this.address = address;
		if (["search", "namespace", "label", "sort", "order"].some((it) => before[it] !== address[it])) {
			this.table.setQuery(this.#query());
		}
		this.timeline.show(Number(address.window) || this.seconds);
		this.charts.show(Number(address.window) || this.seconds);
		if (before.object !== address.object) {
			const focused = this.#view?.element.contains(document.activeElement);
			this.#shut();
			if (address.object) {
				this.#open(address.object, false);
			} else if (focused) {
				this.table.focus(before.object);
			}
		}
	}

	focusSearch() {
		this.table.filters.search.focus();
		this.table.filters.search.select();
	}

	// Called when the stream has delivered something.
	change({ kind, frame, complete }) {
		if (kind === "frame") {
			const sample = frame.samples?.[this.name];
			if (sample) {
				this.charts.add(sample);
				this.charts.draw(this.#model.now() / 1000);
			}
			if (frame.changes?.[this.name]) {
				this.table.changed();
				this.#view?.changed();
			}
			if (complete) {
				this.table.again();
				this.#view?.changed();
				this.#read();
			}
		}
		this.tick();
	}

	tick() {
		const mirror = this.#model.mirrors.get(this.name);
		if (!mirror) {
			return;
		}
		const { summary } = mirror;
		const now = this.#model.now();
		const silence = this.#model.gone() ? 0 : mirror.silence(now);
		updateBadge(this.badge, summary, silence);
		setText(this.explanation, (this.#model.gone() ? "When the application last answered: " : "") + stateWords(summary, silence).text);
		setText(this.resource, what(summary));
		this.#showFailure(summary, now);
		const values = {
			size: number(summary.size),
			lastSyncResourceVersion: summary.lastSyncResourceVersion || "none yet",
			queueDepth: number(summary.queueDepth),
			lastEventAt: ago(summary.lastEventAt, now),
			lastContactAt: ago(summary.lastContactAt, now),
			lists: number(summary.counts?.lists),
			watches: number(summary.counts?.watches)
		};
		this.facts.forEach(({ value }, id) => setText(value, values[id]));
		this.operations.update(summary, this.#model.writeOperations, this.#model.gone());
		this.parts.update(summary, now);
		this.timeline.update(mirror, () => this.#model.now(), this.#model.gone());
		this.table.tick(() => this.#model.now());
		this.#view?.tick(() => this.#model.now());
	}

	#showFailure(summary, now) {
		const text = summary.failure;
		const since = summary.failingSince
			? `Failing for ${duration(Math.ceil((now - summary.failingSince) / 1000) * 1000)}. `
			: "";
		const wait = Math.ceil(((summary.nextAttemptAt ?? now) - now) / 1000) * 1000;
		const next = !summary.nextAttemptAt ? "" : wait > 0 ? ` Next attempt in ${duration(wait)}.` : " Trying now.";
		const whole = text ? `${since}${text.replace(/[.\s]*$/, ".")}${next}` : "";
		setText(this.failure, whole);
		setAttribute(this.failure, "title", whole || null);
	}

	async #read() {
		try {
			const mirror = this.#model.mirrors.get(this.name);
			const [timeline] = await Promise.all([this.#api.timeline(this.name), this.charts.read()]);
			mirror?.merge(timeline);
			this.tick();
		} catch (failure) {
			// other failures are reported by the stream, and the data is read again when
			// the application answers
			if (failure instanceof SessionExpired) {
				this.#onexpired();
			}
		}
	}

	#query() {
		const { search, namespace, label, sort, order } = this.address;
		return { search, namespace, label, sort, order };
	}

	#write(change, keep) {
		this.address = { ...this.address, ...change };
		writeAddress(this.address, keep);
	}

	#open(key, keep) {
		this.#view?.destroy();
		const slash = key.indexOf("/");
		this.#view = new ObjectView(this.#api, this.name, {
			namespace: key.slice(0, slash),
			name: key.slice(slash + 1),
			onexpired: this.#onexpired,
			onclose: () => this.closeObject()
		});
		this.side.replaceChildren(this.#view.element);
		this.#view.start();
		this.table.select(key);
		this.#write({ object: key }, keep && !this.address.object);
	}

	closeObject() {
		if (!this.#view) {
			return;
		}
		const { object } = this.address;
		this.#shut();
		this.#write({ object: "" }, true);
		this.table.focus(object);
	}

	#shut() {
		this.#view?.destroy();
		this.#view = null;
		this.side.replaceChildren();
		this.table.select(null);
	}
}

// Returns the type and the selection that are mirrored, in one line.
function what({ resource, namespaces, labelSelector, fieldSelector }) {
	const some = namespaces?.slice(0, NAMED) ?? [];
	const more = (namespaces?.length ?? 0) - some.length;
	const where = some.length > 0 ? `in ${some.join(", ")}${more > 0 ? ` and ${more} more` : ""}` : "in all namespaces";
	return [resource, where, labelSelector && `labels ${labelSelector}`, fieldSelector && `fields ${fieldSelector}`]
		.filter(Boolean)
		.join(" · ");
}
