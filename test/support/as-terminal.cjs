// Loaded before the gateway by tests of what it prints on a terminal, whose stdout is a pipe.
Object.defineProperty(process.stdout, 'isTTY', { value: true });
