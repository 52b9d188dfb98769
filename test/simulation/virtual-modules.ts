import { registerHooks } from 'node:module';

const replacement = new URL('./world/timers-promises.ts', import.meta.url).href;

/** Lets the modules that are loaded later wait in virtual time. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:timers/promises' ? { url: replacement, shortCircuit: true } : next(specifier, context),
});
