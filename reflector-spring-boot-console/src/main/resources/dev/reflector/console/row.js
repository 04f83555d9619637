// One row of the table of objects.

import { ago, dateAndTime, duration, element, setAttribute, setText } from "./dom.js";
import { changeWords } from "./words.js";

export const columns = [
	{ id: "name", title: "Name", sort: "name" },
	{ id: "namespace", title: "Namespace", sort: "key" },
	{ id: "labels", title: "Labels" },
	{ id: "version", title: "resourceVersion", sort: "version" },
	{ id: "created", title: "Age", sort: "age" },
	{ id: "changed", title: "Last change", sort: "changed" }
];

const still = matchMedia("(prefers-reduced-motion: reduce)");

export const objectKey = (item) => `${item.namespace ?? ""}/${item.name}`;

const labelsOf = (item) =>
	Object.entries(item.labels ?? {})
		.map(([label, value]) => (value ? `${label}=${value}` : label))
		.join("  ");

export function newRow(index, onopen) {
	return element(
		"div",
		{
			role: "row",
			class: "rc-row",
			id: `rc-row-${index}`,
			"aria-rowindex": index + 2,
			"data-testid": "object-row",
			onclick: onopen
		},
		...columns.map(({ id }) => element("div", { role: "gridcell", class: `rc-cell rc-cell-${id}` }))
	);
}

// item: undefined while the page with the item is being read
export function fillRow(node, item, selected, now) {
	node.classList.toggle("rc-row-waiting", !item);
	if (!item) {
		return;
	}
	const [name, namespace, labels, version, created, changed] = node.children;
	const key = objectKey(item);
	setText(name, item.name);
	setAttribute(name, "title", item.name);
	setText(namespace, item.namespace ?? "–");
	setText(labels, labelsOf(item));
	setText(version, item.resourceVersion ?? "–");
	setText(created, item.createdAt ? duration(Math.max(1000, now - item.createdAt)) : "–");
	setAttribute(created, "title", item.createdAt ? `created ${dateAndTime(item.createdAt)}` : null);
	setText(changed, item.changedAt ? `${changeWords(item.change)} ${ago(item.changedAt, now)}` : "–");
	setAttribute(node, "aria-selected", String(key === selected));
	// only for another version of the same object, not for another object in this row
	if (node.dataset.key === key && node.dataset.version !== item.resourceVersion && !still.matches) {
		node.animate([{ backgroundColor: "var(--rc-flash)" }, { backgroundColor: "transparent" }], {
			duration: 1200,
			easing: "ease-out"
		});
	}
	node.dataset.key = key;
	node.dataset.version = item.resourceVersion;
}
