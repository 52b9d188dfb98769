import { toPrintable } from '../../core/base/printable.ts';
import { closestName, editDistance } from '../../core/base/spelling.ts';
import { type Environment, VARIABLES } from './setting-reader.ts';

/** A variable that looks like a setting and is none, with the setting that was probably meant. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

export const misspeltMessage = ({ name, meant }: MisspeltSetting): string =>
  `${toPrintable(name)} is no setting and has no effect: is ${meant} meant?`;

/** Names of several words with these first ones are the gateway's. */
const OWN_PREFIX = /^(?:UPSTREAM|CLIENT_JWT|CLIENT_JWKS)_/u;

/** The variables that are set and look like settings, and are none. */
export const findMisspeltSettings = (environment: Environment): readonly MisspeltSetting[] =>
  Object.keys(environment).flatMap((name) => {
    const meant = VARIABLES.includes(name) || environment[name] === '' ? null : nearestSetting(name);
    return meant === null ? [] : [{ name, meant }];
  });

/** The setting whose name differs by a letter or two, or by words at the end; of an own prefix, the most similar one. */
function nearestSetting(name: string): string | null {
  const normalized = name.toUpperCase().replaceAll('-', '_');
  const allowed = name.length < 8 ? 1 : 2;
  const [nearest] = VARIABLES.filter(
    (setting) => isShorterOrLonger(normalized, setting) || differsAtMost(normalized, setting, allowed),
  ).toSorted((one, other) => editDistance(normalized, one) - editDistance(normalized, other));
  return nearest ?? (OWN_PREFIX.test(normalized) ? closestName(normalized, VARIABLES) : null);
}

/** Names whose lengths differ by more have a larger distance, which takes time to compute. */
const differsAtMost = (one: string, other: string, distance: number): boolean =>
  Math.abs(one.length - other.length) <= distance && editDistance(one, other) <= distance;

/** True where one name has all words of the other, at least two, and more after them. */
function isShorterOrLonger(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.includes('_') && long.startsWith(`${short}_`);
}
