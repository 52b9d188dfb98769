// Stands for `node:timers/promises` in a simulation.
import { installedTime } from './virtual-time.ts';

export async function setTimeout<T>(delayMs = 0, value?: T, options: { readonly signal?: AbortSignal } = {}) {
  await installedTime().sleep(delayMs, options.signal);
  return value;
}

export const setImmediate = <T>(value?: T) => setTimeout(0, value);
