// The timeline of one reflector: the large band with its legend, and the same events as a list.

import { Band } from "./band.js";
import { duration, element, preciseTime, reconcile, setAttribute, setText } from "./dom.js";
import { shape } from "./shapes.js";
import { markKinds, markWords, reasonWords, spanKinds, spanWords } from "./words.js";

const LOGGED = 60;

// Milliseconds between the end of an attempt and the mark of its failure.
const SAME_MOMENT = 50;

const windows = [
	[60, "1 min"],
	[300, "5 min"],
	[900, "15 min"]
];

const repeated = ["BOOKMARK", "SLOW_LISTENER"];

export const kindOf = (entry) => (entry.span ?? entry.mark).kind;

const swatch = (kind) => element("span", { class: "rc-swatch", "data-kind": kind, "aria-hidden": "true" });

export const sign = (entry) => (entry.span ? swatch(entry.span.kind) : shape(entry.mark.kind, { "data-kind": entry.mark.kind }));

export const entryTitle = (entry) =>
	entry.span
		? spanWords(entry.span.kind).title
		: entry.attempt
			? `${spanWords(entry.attempt).title} failed`
			: markWords(entry.mark.kind).title;

// Whether a mark shows that the attempt of the span before it has failed before anything
// arrived. If so, span and mark become one entry, because they have the same words.
const failedAttempt = (last, { mark }) =>
	mark?.kind === "ERROR" &&
	["WATCH", "LIST"].includes(last?.span?.kind) &&
	last.span.end !== null &&
	Math.abs(mark.at - last.span.end) < SAME_MOMENT &&
	!/^[1-9]/.test(last.span.detail ?? "");

// Describes a span or mark in one line.
export function entryText(entry, now) {
	if (entry.span) {
		const { kind, scope, start, end, detail, reason } = entry.span;
		const long = end === null ? `for ${duration(now - start)}` : duration(end - start);
		const parts =
			kind === "BACKOFF"
				? [long, reasonWords(reason)]
				: kind === "WATCH"
					? [long, reason, detail]
					: [long, detail, reasonWords(reason)];
		return [...parts, scope].filter(Boolean).join(" · ");
	}
	const { kind, scope, detail } = entry.mark;
	return [kind === "RELIST" ? reasonWords(detail) : detail, scope].filter(Boolean).join(" · ");
}

// Returns all spans and marks in order. If a span and a mark have the same time, the mark
// comes first, because it is the cause. Equal entries that follow each other become one
// entry.
export function entriesOf(mirror, { bookmarks = true, since = 0 } = {}) {
	const entries = [
		...[...mirror.marks.values()].map((mark) => ({ at: mark.at, mark, key: mark.key })),
		...[...mirror.spans.values()].map((span) => ({ at: span.start, span, key: span.key }))
	]
		.filter((entry) => entry.at >= since && (bookmarks || kindOf(entry) !== "BOOKMARK"))
		.sort((one, other) => one.at - other.at);
	const merged = [];
	for (const entry of entries) {
		const last = merged.at(-1);
		if (repeated.includes(kindOf(entry)) && last && kindOf(last) === kindOf(entry)) {
			merged[merged.length - 1] = { ...entry, key: last.key, first: last.first ?? last.at, count: (last.count ?? 1) + 1 };
		} else if (failedAttempt(last, entry)) {
			merged[merged.length - 1] = { ...entry, key: last.key, first: last.at, attempt: last.span.kind };
		} else {
			merged.push(entry);
		}
	}
	return merged;
}

export class Timeline {
	#mirror = null;

	#now = () => Date.now();

	#pointed = null;

	#gone = false;

	// The entries of the list, newest first, and the entry that the keyboard has selected.
	#entries = [];

	#chosen = null;

	#onwindow;

	#detail;

	#detailSign = element("span", { class: "rc-detail-sign" });

	#detailTitle = element("strong");

	#detailTime = element("span", { class: "rc-detail-time" });

	#detailWords = element("span", { class: "rc-detail-words" });

	#detailText = element("span", { class: "rc-muted" });

	#log = element("ol", {
		class: "rc-log",
		"data-testid": "timeline-log",
		tabindex: 0,
		"aria-label": "What happened, newest first"
	});

	// onwindow: called with the number of seconds to show
	constructor({ seconds, onwindow }) {
		this.seconds = seconds;
		this.#onwindow = onwindow;
		this.#log.addEventListener("keydown", (event) => this.#walk(event));
		this.#log.addEventListener("blur", () => this.#chosen !== null && this.#choose(null));
		this.band = new Band({ onresize: () => this.#draw() });
		this.band.svg.setAttribute("data-testid", "timeline");
		this.band.svg.addEventListener("pointermove", (event) => this.#point(event));
		this.band.svg.addEventListener("pointerdown", (event) => this.#point(event));
		this.band.svg.addEventListener("pointerleave", (event) => {
			if (event.pointerType === "mouse") {
				this.#pointed = null;
				this.#draw();
			}
		});
		this.#detail = element(
			"p",
			{ class: "rc-detail" },
			this.#detailSign,
			this.#detailTitle,
			this.#detailTime,
			this.#detailWords,
			this.#detailText
		);
		this.buttons = windows.map(([size, title]) =>
			element(
				"button",
				{
					type: "button",
					"data-testid": `timeline-window-${size}`,
					"aria-pressed": String(size === seconds),
					onclick: () => {
						this.show(size);
						onwindow(size);
					}
				},
				title
			)
		);
		this.element = element(
			"section",
			{ class: "rc-panel rc-life", "aria-labelledby": "rc-life-title" },
			element(
				"div",
				{ class: "rc-panel-head" },
				element("h3", { id: "rc-life-title" }, "Timeline"),
				element("p", { class: "rc-muted" }, "Requests, delays and errors"),
				element(
					"div",
					{ class: "rc-switch", role: "group", "aria-label": "How much of the time is shown" },
					...this.buttons
				)
			),
			this.band.element,
			this.#detail,
			this.#legend()
		);
		this.logElement = element(
			"section",
			{ class: "rc-panel rc-happened", "aria-labelledby": "rc-log-title" },
			element("div", { class: "rc-panel-head" }, element("h3", { id: "rc-log-title" }, "What happened")),
			this.#log
		);
	}

	show(seconds) {
		this.seconds = seconds;
		this.buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(windows[index][0] === seconds)));
		this.#draw();
	}

	// gone: whether the application does not answer
	update(mirror, now, gone) {
		this.#gone = gone;
		this.#mirror = mirror;
		this.#now = now;
		this.#draw();
		this.#drawLog();
	}

	destroy() {
		this.band.observer.disconnect();
	}

	#legend() {
		const item = (kind, sign, { title, text }) =>
			element("div", { class: "rc-legend-item" }, element("dt", {}, sign, title), element("dd", {}, text));
		const signs = [
			...spanKinds.map((kind) => [kind, swatch(kind), spanWords(kind)]),
			...markKinds.map((kind) => [kind, shape(kind, { "data-kind": kind }), markWords(kind)])
		];
		const summary = element(
			"summary",
			{},
			element(
				"span",
				{ class: "rc-legend-signs" },
				...signs.map(([, sign, words]) => element("span", { title: words.text }, sign.cloneNode(true), words.title))
			),
			element("span", { class: "rc-legend-more" }, "What do these mean?")
		);
		return element("details", { class: "rc-legend" }, summary, element("dl", {}, ...signs.map((sign) => item(...sign))));
	}

	#point(event) {
		this.#pointed = event.clientX - this.band.svg.getBoundingClientRect().left;
		this.#draw();
	}

	// The arrow keys select an entry of the list, and the band marks its time.
	#walk(event) {
		const at = this.#entries.findIndex(({ key }) => key === this.#chosen);
		const last = this.#entries.length - 1;
		const next = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
		if (event.key === "Escape" && this.#chosen !== null) {
			this.#choose(null);
		} else if (next === undefined || last < 0) {
			return;
		} else {
			this.#choose(this.#entries[next]);
		}
		event.preventDefault();
		event.stopPropagation();
	}

	#choose(entry) {
		this.#chosen = entry?.key ?? null;
		this.#pointed = null;
		// screen readers announce the description while the keyboard selects entries
		setAttribute(this.#detail, "aria-live", entry ? "polite" : null);
		const old = entry ? (this.#now() - entry.at) / 1000 : 0;
		const wide = windows.find(([size]) => size >= old)?.[0] ?? windows.at(-1)[0];
		if (wide > this.seconds) {
			this.show(wide);
			this.#onwindow(wide);
		}
		this.#draw();
		this.#drawLog();
		this.#log.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
	}

	#draw() {
		if (!this.#mirror) {
			return;
		}
		const now = this.#now();
		const from = now - this.seconds * 1000;
		const chosen = this.#entries.find(({ key }) => key === this.#chosen);
		this.band.draw(this.#mirror, from, now, this.#gone ? "last known" : "now", chosen?.at);
		setAttribute(this.band.svg, "data-from", Math.round(from));
		setAttribute(this.band.svg, "data-to", Math.round(now));
		const open = [...this.#mirror.spans.values()].filter((span) => span.end === null || span.end > now);
		const entry = chosen ?? (this.#pointed === null ? { span: open.at(-1) } : this.band.at(this.#pointed));
		this.#describe(entry.span || entry.mark ? entry : null, now);
		const current = open.at(-1) ? `Now: ${spanWords(open.at(-1).kind).title.toLowerCase()}. ` : "";
		setAttribute(
			this.band.svg,
			"aria-label",
			`Timeline of the last ${Math.round(this.seconds / 60)} minutes. ${current}The list “What happened” has the same to read.`
		);
	}

	#describe(entry, now) {
		const key = entry ? `${entryTitle(entry)} ${kindOf(entry)}` : "";
		if (this.#detailSign.dataset.key !== key) {
			this.#detailSign.dataset.key = key;
			this.#detailSign.replaceChildren(...(entry ? [sign(entry)] : []));
		}
		setText(this.#detailTitle, entry ? entryTitle(entry) : "Nothing is known of this time");
		setText(
			this.#detailTime,
			!entry
				? ""
				: entry.mark
					? preciseTime(entry.mark.at)
					: entry.span.end === null
						? `since ${preciseTime(entry.span.start)}`
						: `${preciseTime(entry.span.start)} to ${preciseTime(entry.span.end)}`
		);
		setText(this.#detailWords, entry ? entryText(entry, now) : "");
		setText(this.#detailText, !entry ? "" : entry.span ? spanWords(entry.span.kind).text : markWords(entry.mark.kind).text);
	}

	// Returns the number of bookmarks of a watch. They are counted, because a list of them
	// would hide other entries.
	#bookmarks({ span }) {
		if (span?.kind !== "WATCH") {
			return "";
		}
		const count = [...this.#mirror.marks.values()].filter(
			({ kind, at, scope }) =>
				kind === "BOOKMARK" && scope === span.scope && at >= span.start && at <= (span.end ?? Infinity)
		).length;
		return count === 0 ? "" : count === 1 ? "1 bookmark" : `${count} bookmarks`;
	}

	#drawLog() {
		const now = this.#now();
		this.#entries = entriesOf(this.#mirror, { bookmarks: false }).reverse().slice(0, LOGGED);
		reconcile(
			this.#log,
			this.#entries,
			(entry) => entry.key,
			(entry) => {
				const kind = kindOf(entry);
				return element(
					"li",
					{
						"data-testid": "timeline-entry",
						"data-kind": kind,
						title: (entry.span ? spanWords(kind) : markWords(kind)).text
					},
					element("time", {}),
					sign(entry),
					element("span", { class: "rc-log-words" }, element("strong"), " ", element("span", { class: "rc-muted" }))
				);
			},
			(node, entry) => {
				const [time, , words] = node.children;
				setAttribute(node, "data-active", entry.key === this.#chosen ? "" : null);
				setText(time, preciseTime(entry.at));
				setText(words.firstChild, entryTitle(entry) + (entry.count ? ` × ${entry.count}` : ""));
				setText(words.lastChild, [entryText(entry, now), this.#bookmarks(entry)].filter(Boolean).join(" · "));
			}
		);
	}
}
