import type { Attack } from './attack.ts';
import { BODIES } from './bodies.ts';
import { KILLS } from './kills.ts';
import { MEMORY } from './memory.ts';
import { STALLS } from './stalls.ts';
import { UNTRUSTED } from './untrusted-callers.ts';

/** All attacks, by what they aim at. */
export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  kills: KILLS,
  stalls: STALLS,
  memory: MEMORY,
  bodies: BODIES,
  untrusted: UNTRUSTED,
};
