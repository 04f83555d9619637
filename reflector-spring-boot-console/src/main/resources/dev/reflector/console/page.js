// The page of the console itself.

import { mount } from "./console.js";

mount(document.getElementById("console"));
