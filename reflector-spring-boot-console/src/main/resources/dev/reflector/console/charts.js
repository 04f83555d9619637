// The four charts of a reflector, drawn by uPlot.

import uPlot from "./vendor/uPlot.esm.js";
import { decimal, element, number, setText, timeOfDay } from "./dom.js";

const SECONDS = 900;
const HEIGHT = 132;

// How many seconds a point averages. A point for each second, with values of 0, 1 or 2,
// would look like a bar code.
const AVERAGED = 5;

const second = (millis) => millis / 1000;

const kinds = [
	{ key: "eventRate", title: "Event rate", unit: "/s", text: "Changes received from the server", least: 1 },
	{ key: "queueDepth", title: "Queue depth", unit: "", text: "Received but not yet delivered to every listener", least: 5 },
	{
		key: "deliveryMillis",
		title: "Delivery latency",
		unit: " ms",
		text: "From receiving a change to its listeners",
		least: 5,
		sparse: true
	},
	{ key: "ageMillis", title: "Staleness", unit: " s", text: "Since the server last sent a version", least: 2, of: second }
];

const dark = matchMedia("(prefers-color-scheme: dark)");

// Finds single values between two gaps. No line leads to such a value, so it is drawn as
// a point.
function alone(plot, series) {
	const values = plot.data[series];
	const gap = (index) => values[index] === null || values[index] === undefined;
	const points = [];
	values.forEach((value, index) => !gap(index) && gap(index - 1) && gap(index + 1) && points.push(index));
	return points.length > 0 ? points : null;
}

// Returns the values since a time, averaged over some seconds without unknown values. The
// averages begin at fixed times, so that they do not change with each sample.
function averaged(times, values, from) {
	const shown = [[], []];
	let sum = 0;
	let known = 0;
	times.forEach((time, index) => {
		if (time >= from - AVERAGED) {
			const value = values[index];
			if (value !== null && value !== undefined) {
				sum += value;
				known++;
			}
			if (index === times.length - 1 || Math.floor(times[index + 1] / AVERAGED) !== Math.floor(time / AVERAGED)) {
				shown[0].push(time);
				shown[1].push(known > 0 ? sum / known : null);
				sum = 0;
				known = 0;
			}
		}
	});
	return shown;
}

class Chart {
	constructor(kind, sync) {
		this.kind = kind;
		this.sync = sync;
		this.value = element("span", { class: "rc-chart-value", "data-testid": "chart-value" }, "–");
		this.time = element("span", { class: "rc-chart-time rc-muted" });
		this.box = element("div", { class: "rc-chart-box" });
		this.caption = element(
			"figcaption",
			{},
			element("span", { class: "rc-chart-title" }, kind.title),
			this.value,
			element("span", { class: "rc-chart-text rc-muted" }, kind.text),
			this.time
		);
		this.element = element("figure", { class: "rc-chart", "data-testid": `chart-${kind.key}` }, this.caption, this.box);
		this.data = [[], []];
		this.plot = null;
	}

	build(width, colours) {
		this.plot?.destroy();
		const { kind } = this;
		const axis = {
			stroke: colours.muted,
			font: "11px system-ui, sans-serif",
			ticks: { show: false },
			grid: { stroke: colours.line, width: 1 }
		};
		this.plot = new uPlot(
			{
				width,
				height: HEIGHT,
				padding: [8, 8, 0, 0],
				legend: { show: false },
				cursor: { y: false, drag: { x: false, y: false }, sync: { key: this.sync }, points: { size: 6, width: 0 } },
				scales: { x: { time: true }, y: { range: (plot, low, high) => [0, Math.max(kind.least, (high ?? 0) * 1.1)] } },
				axes: [
					{
						...axis,
						size: 26,
						gap: 6,
						grid: { show: false },
						space: 60,
						values: (plot, splits) => splits.map((it) => timeOfDay(it * 1000).slice(0, 5))
					},
					{
						...axis,
						// as wide as the longest number, such as 10,000
						size: (plot, values) => 12 + 7 * Math.max(3, ...(values ?? []).map((it) => it.length)),
						gap: 4,
						space: 34,
						values: (plot, splits) => splits.map((it) => decimal(it))
					}
				],
				series: [
					{},
					{
						stroke: colours.accent,
						width: 1.5,
						fill: colours.fill,
						points: { show: false, filter: alone, size: 4, fill: colours.accent, width: 0 },
						spanGaps: false
					}
				],
				hooks: { setCursor: [() => this.showValue()] }
			},
			this.data,
			this.box
		);
		this.plot.root.setAttribute("aria-hidden", "true");
	}

	draw(data) {
		this.data = data;
		this.plot?.setData(data);
		this.showValue();
	}

	// Shows the value under the pointer, or the newest value.
	showValue() {
		const [times, values] = this.data;
		const pointed = this.plot?.cursor.idx;
		const index = pointed ?? (this.kind.sparse ? values.findLastIndex((value) => value !== null) : times.length - 1);
		const value = values[index];
		setText(this.value, value === null || value === undefined ? "–" : `${decimal(value)}${this.kind.unit}`);
		setText(
			this.time,
			pointed !== null && pointed !== undefined && times[index] ? `at ${timeOfDay(times[index] * 1000)}` : ""
		);
	}
}

export class Charts {
	#api;

	#name;

	#times = [];

	#values = kinds.map(() => []);

	#width = 0;

	#seconds;

	constructor(api, name, seconds) {
		this.#api = api;
		this.#seconds = seconds;
		this.#name = name;
		this.charts = kinds.map((kind) => new Chart(kind, `rc-${name}`));
		this.range = element("p", { class: "rc-muted" });
		this.element = element(
			"section",
			{ class: "rc-panel rc-charts", "aria-labelledby": "rc-charts-title" },
			element(
				"div",
				{ class: "rc-panel-head" },
				element("h3", { id: "rc-charts-title" }, "Rates and delays"),
				this.range
			),
			element("div", { class: "rc-chart-grid" }, ...this.charts.map((chart) => chart.element))
		);
		this.observer = new ResizeObserver(() => this.#resize());
		this.observer.observe(this.charts[0].box);
		this.themes = new MutationObserver(() => this.#build());
		this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
		this.ondark = () => this.#build();
		dark.addEventListener("change", this.ondark);
	}

	destroy() {
		this.observer.disconnect();
		this.themes.disconnect();
		dark.removeEventListener("change", this.ondark);
		this.charts.forEach((chart) => chart.plot?.destroy());
	}

	async read() {
		const series = await this.#api.series(this.#name);
		this.#times = series.times.map(second);
		this.#values = kinds.map(({ key, of = (it) => it }) =>
			(series[key] ?? []).map((value) => (value === null ? null : of(value)))
		);
		this.draw(this.#times.at(-1) ?? 0);
	}

	add(sample) {
		const time = second(sample.time);
		if (time > (this.#times.at(-1) ?? 0)) {
			this.#times.push(time);
			kinds.forEach(({ key, of = (it) => it }, index) =>
				this.#values[index].push(sample[key] === null ? null : of(sample[key]))
			);
			while (this.#times[0] < time - SECONDS) {
				this.#times.shift();
				this.#values.forEach((values) => values.shift());
			}
		}
	}

	// Sets how many seconds are shown.
	show(seconds) {
		this.#seconds = seconds;
		this.draw(this.#times.at(-1) ?? 0);
	}

	// until: the time at the right edge, in seconds
	draw(until) {
		setText(this.range, `The last ${this.#seconds / 60} min, each point the average of ${AVERAGED} s`);
		if (this.#width === 0 || document.hidden) {
			return;
		}
		const from = until - this.#seconds;
		this.charts.forEach((chart, index) => {
			const shown = averaged(this.#times, this.#values[index], from);
			chart.draw(shown);
			chart.plot?.setScale("x", { min: from, max: until });
			this.#describe(chart, shown[1]);
		});
	}

	#describe(chart, values) {
		const { title, unit } = chart.kind;
		const most = values.reduce((high, value) => Math.max(high, value ?? 0), 0);
		chart.element.setAttribute(
			"aria-label",
			`${title}: now ${decimal(values.at(-1))}${unit}, at most ${number(Math.round(most))}${unit} in ${this.#seconds / 60} minutes`
		);
	}

	#resize() {
		const width = Math.floor(this.charts[0].box.clientWidth);
		if (width > 0 && width !== this.#width) {
			const first = this.#width === 0;
			this.#width = width;
			if (first) {
				this.#build();
			} else {
				this.charts.forEach((chart) => chart.plot.setSize({ width, height: HEIGHT }));
			}
		}
	}

	#build() {
		if (this.#width === 0) {
			return;
		}
		const probe = this.element.appendChild(element("i", { hidden: true }));
		const colour = (name) => {
			probe.style.color = `var(--rc-${name})`;
			return getComputedStyle(probe).color;
		};
		const colours = { muted: colour("muted"), line: colour("line"), accent: colour("accent"), fill: colour("accent-soft") };
		probe.remove();
		this.charts.forEach((chart) => chart.build(this.#width, colours));
		this.draw(this.#times.at(-1) ?? 0);
	}
}
