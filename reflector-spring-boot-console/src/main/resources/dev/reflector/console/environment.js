// virtual-core is written for bundlers, and expects this variable, with the name of the
// environment.
globalThis.process ??= { env: { NODE_ENV: "production" } };
