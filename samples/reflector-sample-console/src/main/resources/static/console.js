"use strict";

const KEPT = 200;
const byId = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
	const node = document.createElement(name);
	Object.entries(attributes).forEach(([key, value]) => {
		if (key === "onclick") {
			node.addEventListener("click", value);
		}
		else {
			node.setAttribute(key, value);
		}
	});
	node.append(...children.map((child) => (child === null || child === undefined) ? "" : child));
	return node;
}

const time = (instant) => instant ? new Date(instant).toLocaleTimeString() : "–";

function card(reflector) {
	const status = reflector.status;
	const facts = {
		"resource version": status.lastSyncResourceVersion || "–",
		"synced": status.synced ? "yes" : "no",
		"objects": status.size,
		"queue": status.queueDepth,
		"lists": status.counts.lists,
		"watches": status.counts.watches,
		"added": status.counts.added,
		"updated": status.counts.updated,
		"deleted": status.counts.deleted,
		"bookmarks": status.counts.bookmarks,
		"errors": status.counts.errors,
		"last event": time(status.lastEventAt)
	};
	const list = element("dl");
	Object.entries(facts).forEach(([term, fact]) =>
		list.append(element("div", {}, element("dt", {}, term), element("dd", {}, String(fact)))));
	const node = element("article", { class: "card", "data-reflector": reflector.name },
		element("header", {},
			element("h2", {}, reflector.name + " ", element("small", {}, reflector.type)),
			element("span", { class: "state " + status.state }, status.state)),
		list);
	if (status.lastError && status.failingSince) {
		const error = status.lastError;
		node.append(element("p", { class: "error" },
			`since ${time(status.failingSince)}: ${error.status || ""} ${error.reason}: ${error.message}`));
	}
	return node;
}

async function write(method, path) {
	const response = await fetch("api/widgets" + path, { method });
	if (!response.ok) {
		byId("connection").textContent = `${method} answered ${response.status}`;
	}
	await refresh();
}

function objects(reflector, writable) {
	const body = element("tbody");
	const changeable = writable && reflector.name === "widgets";
	reflector.objects.forEach((object) => {
		const row = element("tr", { "data-object": object.name },
			element("td", {}, (object.namespace ? object.namespace + "/" : "") + object.name),
			element("td", {}, object.summary),
			element("td", {}, object.resourceVersion));
		if (changeable) {
			const path = "/" + encodeURIComponent(object.name);
			row.append(element("td", {},
				element("button", { type: "button", class: "change", onclick: () => write("PUT", path) }, "change"), " ",
				element("button", { type: "button", class: "delete", onclick: () => write("DELETE", path) }, "delete")));
		}
		body.append(row);
	});
	const shown = reflector.objects.length;
	const title = reflector.name + (shown < reflector.status.size ? ` (${shown} of ${reflector.status.size})` : "");
	const all = element("a", { href: "api/objects/" + reflector.name }, "all as JSON");
	return [element("h3", {}, title + " ", element("small", {}, all)), element("table", { id: "objects-" + reflector.name }, body)];
}

async function refresh() {
	try {
		const console = await (await fetch("api/console")).json();
		byId("reflectors").replaceChildren(...console.reflectors.map(card));
		byId("objects").replaceChildren(...console.reflectors.flatMap((it) => objects(it, console.writable)));
		byId("create").disabled = !console.writable;
		byId("readonly").hidden = console.writable;
	}
	catch (error) {
		byId("connection").textContent = "the console does not answer";
	}
}

let lastNumber = 0;

function show(entries) {
	const body = byId("events").tBodies[0];
	entries.filter((entry) => entry.number > lastNumber).forEach((entry) => {
		lastNumber = entry.number;
		body.prepend(element("tr", {},
			element("td", {}, time(entry.at)),
			element("td", {}, entry.reflector),
			element("td", { class: "what " + entry.what }, entry.what),
			element("td", {}, entry.key),
			element("td", {}, entry.resourceVersion),
			element("td", {}, entry.note)));
	});
	while (body.rows.length > KEPT) {
		body.deleteRow(-1);
	}
}

function follow() {
	const source = new EventSource("api/events");
	source.onopen = () => {
		// a console that was started again counts from the beginning
		lastNumber = 0;
		byId("events").tBodies[0].replaceChildren();
		byId("connection").textContent = "live";
	};
	source.onerror = () => {
		byId("connection").textContent = "reconnecting…";
	};
	source.onmessage = (message) => show(JSON.parse(message.data));
}

byId("create").addEventListener("click", () => write("POST", ""));
refresh();
setInterval(refresh, 1000);
follow();
