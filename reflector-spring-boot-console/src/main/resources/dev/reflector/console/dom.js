// Makes elements and text. Data becomes only text or attributes, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false) {
			continue;
		}
		if (name.startsWith("on")) {
			node.addEventListener(name.slice(2), value);
		} else {
			node.setAttribute(name, value === true ? "" : value);
		}
	}
	node.append(...children.filter((child) => child !== null && child !== undefined));
	return node;
}

export function element(name, attributes = {}, ...children) {
	return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
	return fill(document.createElementNS(SVG, name), attributes, children);
}

// Sets a text only if it differs, so that a frame without changes causes no layout.
export function setText(node, text) {
	const value = String(text);
	if (node.textContent !== value) {
		node.textContent = value;
	}
}

export function setAttribute(node, name, value) {
	if (value === null || value === undefined || value === false) {
		node.removeAttribute(name);
	} else if (node.getAttribute(name) !== String(value)) {
		node.setAttribute(name, value);
	}
}

// Selects regions that screen readers announce. These regions are never made inert.
const READ_OUT = "[role='alert'], [aria-live]";

// Makes everything except one node of the page inert for pointer, keyboard and screen
// readers. Returns a function that undoes this.
export function isolate(node) {
	const others = [];
	for (let it = node; it !== document.body; it = it.parentElement) {
		others.push(...[...it.parentElement.children].filter((other) => other !== it && !other.inert && !other.matches(READ_OUT)));
	}
	others.forEach((other) => (other.inert = true));
	return () => others.forEach((other) => (other.inert = false));
}

const whole = new Intl.NumberFormat("en");
const tenth = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const clockWithMillis = new Intl.DateTimeFormat("en-GB", {
	hour: "2-digit",
	minute: "2-digit",
	second: "2-digit",
	fractionalSecondDigits: 1
});
const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

export const number = (value) => (value === null || value === undefined ? "–" : whole.format(value));
export const decimal = (value) =>
	value === null || value === undefined ? "–" : Math.abs(value) >= 100 ? whole.format(Math.round(value)) : tenth.format(value);
export const timeOfDay = (millis) => clock.format(millis);
export const preciseTime = (millis) => clockWithMillis.format(millis);
export const dateAndTime = (millis) => date.format(millis);

const units = [
	["d", 86400],
	["h", 3600],
	["min", 60],
	["s", 1]
];

// Returns a duration in its two largest units.
export function duration(millis) {
	const seconds = Math.max(0, millis) / 1000;
	if (seconds < 1) {
		return `${Math.round(seconds * 1000)} ms`;
	}
	if (seconds < 10) {
		return `${tenth.format(seconds)} s`;
	}
	if (seconds < 60) {
		return `${Math.round(seconds)} s`;
	}
	const first = units.findIndex(([, size]) => seconds >= size);
	const [unit, size] = units[first];
	const rest = units[first + 1];
	const more = rest ? Math.floor((seconds % size) / rest[1]) : 0;
	return `${Math.floor(seconds / size)} ${unit}${more > 0 ? ` ${more} ${rest[0]}` : ""}`;
}

// Returns how long ago a time is, in only the largest unit, because users cannot read a
// text that changes four times a second.
export function ago(millis, now) {
	if (millis === null || millis === undefined) {
		return "never";
	}
	const seconds = Math.floor((now - millis) / 1000);
	const [unit, size] = units.find(([, it]) => seconds >= it) ?? units.at(-1);
	return seconds < 2 ? "just now" : `${Math.floor(seconds / size)} ${unit} ago`;
}

// Returns a JSON pointer in the form in which users write fields: metadata.labels["app.kubernetes.io/name"]
export function fieldPath(pointer) {
	const parts = pointer.split("/").slice(1);
	const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
	return names.map(fieldName).join("").replace(/^\./, "");
}

function fieldName(name) {
	if (/^\d+$/.test(name)) {
		return `[${name}]`;
	}
	return /^[\w-]+$/.test(name) ? `.${name}` : `["${name}"]`;
}

const kept = new WeakMap();

// Makes the children of a node match the items. Nodes of items that stay are kept, and
// with them the focus and the scroll position.
export function reconcile(parent, items, keyOf, make, update = () => {}) {
	const before = kept.get(parent) ?? new Map();
	const after = new Map();
	items.forEach((item) => after.set(keyOf(item), item));
	const nodes = new Map();
	for (const [key, node] of before) {
		if (after.has(key)) {
			nodes.set(key, node);
		} else {
			node.remove();
		}
	}
	let place = parent.firstChild;
	for (const [key, item] of after) {
		let node = nodes.get(key);
		if (!node) {
			node = make(item);
			nodes.set(key, node);
		}
		update(node, item);
		if (node === place) {
			place = place.nextSibling;
		} else {
			parent.insertBefore(node, place);
		}
	}
	kept.set(parent, nodes);
}
