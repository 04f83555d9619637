// The theme: light, dark, or the theme of the system. The browser keeps the choice.

import { element, setText } from "./dom.js";

const KEY = "rc-theme";

const themes = ["auto", "light", "dark"];

const apply = (theme) =>
	theme === "auto" ? delete document.documentElement.dataset.theme : (document.documentElement.dataset.theme = theme);

export function themeButton() {
	let theme = document.documentElement.dataset.theme ?? localStorage.getItem(KEY) ?? "auto";
	const button = element("button", {
		type: "button",
		class: "rc-button rc-theme",
		"data-testid": "theme",
		title: "Light, dark, or as the system says",
		onclick: () => {
			theme = themes[(themes.indexOf(theme) + 1) % themes.length];
			localStorage.setItem(KEY, theme);
			show();
		}
	});
	const show = () => {
		apply(theme);
		setText(button, `Theme: ${theme}`);
	};
	show();
	return button;
}
