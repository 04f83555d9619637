// The fault panel, with the console below it.

import { mount } from "./reflectors/assets/console.js";
import { Sides } from "./sides.js";
import { Story } from "./story.js";

const REFLECTOR = "widgets";

const byId = (id) => document.getElementById(id);

const reflectors = mount(byId("console"), {
	base: new URL("reflectors", location.href).pathname,
	reflector: REFLECTOR,
	seconds: 60
});
const story = new Story(reflectors, REFLECTOR, {
	title: byId("story-title"),
	steps: byId("steps"),
	verdict: byId("verdict"),
	box: byId("story")
});

const buttons = new Map();

function button(fault) {
	const begin = document.createElement("button");
	begin.type = "button";
	begin.className = "sample-fault";
	begin.dataset.testid = `fault-${fault.id}`;
	begin.textContent = fault.title;
	begin.title = fault.what;
	begin.addEventListener("click", () => start(fault));
	const end = document.createElement("button");
	end.type = "button";
	end.className = "sample-end";
	end.dataset.testid = `fault-end-${fault.id}`;
	end.textContent = "End it";
	end.setAttribute("aria-label", `End it: ${fault.title}`);
	end.hidden = true;
	end.addEventListener("click", () => send("DELETE", `faults/${fault.id}`).then(show));
	const item = document.createElement("li");
	item.append(begin, end);
	buttons.set(fault.id, { item, end });
	return item;
}

async function send(method, path) {
	const { token, header } = reflectors.csrf() ?? {};
	const response = await fetch(path, {
		method,
		headers: { accept: "application/json", "x-reflector-sample": "1", ...(token ? { [header]: token } : {}) }
	});
	if (!response.ok) {
		throw new Error(`${method} ${path} answered ${response.status}`);
	}
	return response.json();
}

async function start(fault) {
	story.begin(fault);
	try {
		show(await send("POST", `faults/${fault.id}`));
	} catch (failure) {
		story.failed(failure.message);
	}
}

function show({ faults = [] }) {
	byId("faults").hidden = faults.length === 0;
	byId("real").hidden = faults.length > 0;
	for (const fault of faults) {
		if (!buttons.has(fault.id)) {
			byId("buttons").append(button(fault));
		}
		const { item, end } = buttons.get(fault.id);
		item.classList.toggle("sample-active", fault.active);
		end.hidden = !fault.active;
	}
	story.active(faults.filter((fault) => fault.active).map((fault) => fault.id));
}

// Faults cannot begin while the application does not answer. The panel keeps its content
// until the application answers again.
function gone(is) {
	const title = byId("story-title");
	for (const button of document.querySelectorAll("#buttons button, #create")) {
		button.disabled = is;
	}
	if (is && title.dataset.before === undefined) {
		title.dataset.before = title.textContent;
		title.textContent = "The application is gone";
	} else if (!is && title.dataset.before !== undefined) {
		title.textContent = title.dataset.before;
		delete title.dataset.before;
	}
}

async function refresh() {
	try {
		show(await send("GET", "faults"));
		gone(false);
	} catch {
		gone(true);
	}
}

byId("create").addEventListener("click", async () => {
	try {
		const { name } = await send("POST", "api/widgets");
		byId("created").textContent = `${name} was created at the server, and is in the table below.`;
	} catch (failure) {
		byId("created").textContent = failure.message;
	}
});

new Sides(byId("sides"));
refresh();
setInterval(() => document.hidden || refresh(), 2000);
