// The shapes beside each state and mark, so that color is never the only sign.

import { svg } from "./dom.js";

const paths = {
	WATCHING: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z",
	POLLING: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5h-2A3.5 3.5 0 1 1 8 4.5V7l4-3.5L8 0z",
	LISTING: "M3 3h10v2H3zM3 7h10v2H3zM3 11h10v2H3z",
	STARTING: "M8 2a6 6 0 1 0 6 6h-2a4 4 0 1 1-4-4z",
	BACKING_OFF: "M8 1.5 15 14H1zM7.2 6h1.6v4H7.2zM7.2 11h1.6v1.6H7.2z",
	AWAITING_TYPE: "M4 2h8v2L9 8l3 4v2H4v-2l3-4-3-4z",
	PAUSED: "M4 3h3v10H4zM9 3h3v10H9z",
	STOPPED: "M3 3h10v10H3zM5 5v6h6V5z",
	BOOKMARK: "M7 3h2v10H7z",
	SYNCED: "M2.5 8.5 4 7l2.6 2.6L12 4l1.5 1.5-6.9 7.1z",
	RELIST: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5h-2A3.5 3.5 0 1 1 8 4.5V7l4-3.5L8 0z",
	EXPIRED: "M8 1.5 14.5 8 8 14.5 1.5 8zM7.2 4.5h1.6v4.4H7.2zM7.2 10h1.6v1.6H7.2z",
	ERROR: "M4 2.5 8 6.5l4-4L13.5 4l-4 4 4 4-1.5 1.5-4-4-4 4L2.5 12l4-4-4-4z",
	RESUMED: "M4 2.5 13.5 8 4 13.5z",
	THROTTLED: "M4 2h8v2L9 8l3 4v2H4v-2l3-4-3-4z",
	SKIPPED: "M2 7h12v2H2z",
	VERIFIED: "M3 5h10v2H3zM3 9h10v2H3z",
	ok: "M2.5 8.5 4 7l2.6 2.6L12 4l1.5 1.5-6.9 7.1z",
	close: "M4 2.5 8 6.5l4-4L13.5 4l-4 4 4 4-1.5 1.5-4-4-4 4L2.5 12l4-4-4-4z",
	sign: "M3 7.2 8 2l5 5.2zM3 8.8 8 14l5-5.2z",
	other: "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"
};

export const shapePath = (name) => paths[name] ?? paths.other;

export function shape(name, attributes = {}) {
	return svg(
		"svg",
		{ class: "rc-shape", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", ...attributes },
		svg("path", { d: shapePath(name), "fill-rule": "evenodd" })
	);
}

// Fills that differ in pattern as well as in color. They are in the page once, for all timelines.
export function patterns() {
	const pattern = (id, size, ...content) =>
		svg("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, ...content);
	return svg(
		"svg",
		{ class: "rc-patterns", width: 0, height: 0, "aria-hidden": "true" },
		svg(
			"defs",
			{},
			pattern(
				"rc-hatch",
				6,
				svg("rect", { width: 6, height: 6, class: "rc-pattern-ground-bad" }),
				svg("path", { d: "M-1 1 1 -1M0 6 6 0M5 7 7 5", class: "rc-pattern-line-bad" })
			),
			pattern(
				"rc-dots",
				5,
				svg("rect", { width: 5, height: 5, class: "rc-pattern-ground-warn" }),
				svg("circle", { cx: 2.5, cy: 2.5, r: 1.3, class: "rc-pattern-dot-warn" })
			),
			pattern(
				"rc-bars",
				6,
				svg("rect", { width: 6, height: 6, class: "rc-pattern-ground-idle" }),
				svg("path", { d: "M1 0v6", class: "rc-pattern-line-idle" })
			)
		)
	);
}
