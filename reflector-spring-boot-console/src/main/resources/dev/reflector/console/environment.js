// virtual-core is written for bundlers, and asks for the name of its environment.
globalThis.process ??= { env: { NODE_ENV: "production" } };
