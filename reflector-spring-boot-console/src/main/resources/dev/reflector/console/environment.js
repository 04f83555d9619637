// virtual-core is written for bundlers, and reads the name of its environment from this variable.
globalThis.process ??= { env: { NODE_ENV: "production" } };
