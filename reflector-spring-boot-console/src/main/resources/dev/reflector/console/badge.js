// Shows the state of a reflector as a shape, a color and a word.

import { element, setAttribute, setText } from "./dom.js";
import { shape } from "./shapes.js";
import { stateWords } from "./words.js";

export function newBadge() {
	return element(
		"span",
		{ class: "rc-state", "data-testid": "state" },
		element("span", { class: "rc-state-shape" }),
		element("span", { class: "rc-state-title" })
	);
}

export function updateBadge(badge, summary, silence) {
	const words = stateWords(summary, silence);
	if (badge.dataset.state !== summary.state) {
		badge.firstChild.replaceChildren(shape(summary.state));
	}
	setAttribute(badge, "data-state", summary.state);
	setAttribute(badge, "data-level", words.level);
	setAttribute(badge, "title", words.text);
	setText(badge.lastChild, words.title);
}
