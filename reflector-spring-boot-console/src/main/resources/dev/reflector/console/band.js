// Draws spans and marks to scale, as SVG. The overview has a small band for each reflector,
// the page of a reflector a large one.

import { element, reconcile, setAttribute, setText, svg, timeOfDay } from "./dom.js";
import { shapePath } from "./shapes.js";
import { spanWords } from "./words.js";

// The order in which spans are drawn. A more important kind comes later, over the other kinds.
const order = ["WATCH", "STANDBY", "SLOW_LISTENER", "STOPPED", "PAUSED", "AWAITING_TYPE", "SILENCE", "LIST", "BACKOFF"];

// Kinds of spans about listeners. They are in a thin row below the requests.
const below = ["STANDBY", "SLOW_LISTENER"];
const rank = (kind) => order.indexOf(kind);

const SMALL = { height: 34, top: 13, bottom: 29, below: 4, mark: 9, gap: 2, levels: 1, axis: false };
const LARGE = { height: 124, top: 44, bottom: 86, below: 8, mark: 14, gap: 5, levels: 2, axis: true };

// Smallest width of a span, so that the shortest span can still be seen and pointed at.
const NARROWEST = 3;

// Smallest distance between two bookmarks. With a smaller distance, they would look like
// one gray bar.
const CLOSEST = 5;

const steps = [5, 10, 30, 60, 120, 300];

// Keeps one bookmark in each interval. Intervals begin at fixed times, so that the same
// bookmarks are kept with each frame.
function thinned(size) {
	let last = null;
	return ({ kind, at }) => {
		const place = Math.floor(at / size);
		const superfluous = kind === "BOOKMARK" && place === last;
		last = kind === "BOOKMARK" ? place : last;
		return !superfluous;
	};
}

export class Band {
	#layout;

	#spans = svg("g");

	#marks = svg("g");

	#axis = svg("g", { class: "rc-axis" });

	#place = svg("rect", { class: "rc-band-place", "data-testid": "timeline-place", width: 2, visibility: "hidden" });

	#width = 0;

	#drawn = { spans: [], marks: [] };

	constructor({ small = false, onresize = () => {} } = {}) {
		this.#layout = small ? SMALL : LARGE;
		const { height, top, bottom } = this.#layout;
		this.svg = svg(
			"svg",
			{ class: `rc-band ${small ? "rc-band-small" : "rc-band-large"}`, height, role: "img" },
			svg("rect", { class: "rc-band-ground", x: 0, y: top, width: "100%", height: bottom - top, rx: 3 }),
			this.#axis,
			this.#spans,
			this.#marks,
			this.#place
		);
		setAttribute(this.#place, "height", bottom);
		this.element = element("div", { class: "rc-band-box" }, this.svg);
		this.observer = new ResizeObserver(([entry]) => {
			this.#width = entry.contentRect.width;
			onresize();
		});
		this.observer.observe(this.element);
	}

	// Draws the time between "from" and "to", with "to" at the right edge, and marks the chosen
	// time, if there is one.
	draw(mirror, from, to, nowTitle = "now", chosen = null) {
		if (this.#width === 0) {
			return;
		}
		const x = (time) => ((time - from) / (to - from)) * this.#width;
		const spans = [...mirror.spans.values()]
			.filter((span) => (span.end ?? to) >= from && span.start <= to)
			.sort((one, other) => rank(one.kind) - rank(other.kind) || one.start - other.start)
			.map((span) => {
				const left = Math.max(0, x(span.start));
				const right = x(Math.min(span.end ?? to, to));
				const width = Math.max(NARROWEST, right - left - 1);
				return { span, left: Math.min(left, this.#width - width), width };
			});
		const all = [...mirror.marks.values()]
			.filter((mark) => mark.at >= from && mark.at <= to)
			.sort((one, other) => one.at - other.at)
			.filter(thinned(((to - from) / this.#width) * CLOSEST))
			.map((mark) => ({ mark, x: x(mark.at) }));
		const marks = this.#levels(all);
		reconcile(
			this.#spans,
			spans,
			({ span }) => span.key,
			(it) => this.#newSpan(it.span),
			(node, it) => this.#placeSpan(node, it)
		);
		reconcile(
			this.#marks,
			marks,
			({ mark }) => mark.key,
			(it) => this.#newMark(it.mark),
			(node, it) => this.#placeMark(node, it)
		);
		if (this.#layout.axis) {
			this.#drawAxis(from, to, x, nowTitle);
		}
		setAttribute(this.#place, "visibility", chosen === null ? "hidden" : "visible");
		setAttribute(this.#place, "x", chosen === null ? 0 : Math.max(0, x(chosen) - 1).toFixed(1));
		this.#drawn = { spans, marks };
	}

	// Returns the nearest mark at a position, or else the topmost span.
	at(x) {
		const near = this.#drawn.marks
			.filter((it) => Math.abs(it.x - x) <= 8)
			.sort(
				(one, other) =>
					(one.mark.kind === "BOOKMARK") - (other.mark.kind === "BOOKMARK") ||
					Math.abs(one.x - x) - Math.abs(other.x - x)
			)[0];
		if (near) {
			return { mark: near.mark };
		}
		const hit = this.#drawn.spans.findLast((it) => x >= it.left - 1 && x <= it.left + it.width + 1);
		return hit ? { span: hit.span } : {};
	}

	// Places marks that would cover each other above each other. If there is room for only one
	// mark, shows the first, which is the cause. Bookmarks are small, and are placed on the band.
	#levels(marks) {
		const { levels, mark: size } = this.#layout;
		const taken = Array(levels).fill(-Infinity);
		return marks.filter((it) => {
			if (it.mark.kind === "BOOKMARK") {
				return true;
			}
			const free = taken.findIndex((end) => it.x >= end + size + 2);
			if (free < 0 && levels === 1) {
				return false;
			}
			it.level = free < 0 ? taken.indexOf(Math.min(...taken)) : free;
			taken[it.level] = it.x;
			return true;
		});
	}

	#newSpan(span) {
		const thin = below.includes(span.kind);
		const top = thin ? this.#layout.bottom + 1 : this.#layout.top;
		const bottom = thin ? top + this.#layout.below : this.#layout.bottom;
		const height = bottom - top;
		const group = svg(
			"g",
			{ class: "rc-span", "data-kind": span.kind, "data-testid": "timeline-span", "data-start": span.start },
			svg("rect", { class: "rc-span-body", y: top, height, rx: 2 }),
			svg("rect", { class: "rc-span-line", y: bottom - Math.max(3, height / 10), height: Math.max(3, height / 10) })
		);
		if (this.#layout.axis && !thin) {
			group.append(svg("text", { y: (top + bottom) / 2 + 4 }, spanWords(span.kind).title));
		}
		return group;
	}

	#placeSpan(group, { span, left, width }) {
		const [body, line, text] = group.children;
		for (const part of [body, line]) {
			setAttribute(part, "x", left.toFixed(1));
			setAttribute(part, "width", width.toFixed(1));
		}
		setAttribute(group, "data-end", span.end);
		if (text) {
			setAttribute(text, "x", (left + 8).toFixed(1));
			setAttribute(text, "visibility", width > text.textContent.length * 8 + 16 ? null : "hidden");
		}
	}

	#newMark(mark) {
		const attributes = { class: "rc-mark", "data-kind": mark.kind, "data-testid": "timeline-mark", "data-at": mark.at };
		if (mark.kind === "BOOKMARK") {
			const { top } = this.#layout;
			return svg("g", attributes, svg("rect", { class: "rc-mark-tick", x: -1, y: top - 6, width: 2, height: 6 }));
		}
		const { mark: size } = this.#layout;
		return svg(
			"g",
			attributes,
			svg("rect", { class: "rc-mark-stem", x: -0.5, width: 1 }),
			svg("path", { d: shapePath(mark.kind), "fill-rule": "evenodd", "data-size": size })
		);
	}

	#placeMark(group, { mark, x, level }) {
		setAttribute(group, "transform", `translate(${x.toFixed(1)} 0)`);
		if (mark.kind !== "BOOKMARK") {
			const { top, mark: size, gap } = this.#layout;
			const y = top - gap - size - level * (size + 4);
			const [stem, path] = group.children;
			setAttribute(stem, "y", y + size);
			setAttribute(stem, "height", top - y - size);
			setAttribute(path, "transform", `translate(${-size / 2} ${y}) scale(${size / 16})`);
		}
	}

	#drawAxis(from, to, x, nowTitle) {
		const bottom = this.#layout.bottom + this.#layout.below + 2;
		const room = this.#width / 84;
		const step = 1000 * (steps.find((it) => (to - from) / 1000 / it <= room) ?? steps.at(-1));
		const ticks = [];
		for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
			ticks.push(time);
		}
		reconcile(
			this.#axis,
			[...ticks, "now"],
			(time) => time,
			(time) =>
				svg(
					"g",
					{ class: time === "now" ? "rc-axis-now" : "" },
					svg("rect", { x: 0, width: 1, y: bottom, height: 6 }),
					svg("text", { y: bottom + 22 })
				),
			(group, time) => {
				const place = time === "now" ? this.#width : x(time);
				const [tick, text] = group.children;
				setAttribute(group, "transform", `translate(${place.toFixed(1)} 0)`);
				setAttribute(tick, "x", time === "now" ? -1 : 0);
				setText(text, time === "now" ? nowTitle : timeOfDay(time).slice(0, step < 60000 ? 8 : 5));
				setAttribute(text, "text-anchor", time === "now" ? "end" : "middle");
				const fits = time === "now" || (place > 28 && place < this.#width - 32 - 9 * nowTitle.length);
				setAttribute(group, "visibility", fits ? null : "hidden");
			}
		);
	}
}
