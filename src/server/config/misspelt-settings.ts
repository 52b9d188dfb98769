import { toPrintable } from '../../core/base/printable.ts';
import { closestName, editDistance } from '../../core/base/spelling.ts';
import { type Environment, VARIABLES } from './setting-reader.ts';

/** A variable that looks like a setting but is none, with the setting that was probably meant. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** The warning about a misspelt setting. */
export const misspeltMessage = ({ name, meant }: MisspeltSetting): string =>
  `${toPrintable(name)} is no setting and has no effect: is ${meant} meant?`;

/** Names with these prefixes belong to the gateway. */
const OWN_PREFIX = /^(?:UPSTREAM|CLIENT_JWT|CLIENT_JWKS)_/u;

/** Finds the set variables that look like settings but are none. */
export const findMisspeltSettings = (environment: Environment): readonly MisspeltSetting[] =>
  Object.keys(environment).flatMap((name) => {
    const meant = VARIABLES.includes(name) || environment[name] === '' ? null : nearestSetting(name);
    return meant === null ? [] : [{ name, meant }];
  });

/** The setting whose name differs by a letter or two, or by words at the end; for an own prefix, the most similar one. */
function nearestSetting(name: string): string | null {
  const normalized = name.toUpperCase().replaceAll('-', '_');
  const allowed = name.length < 8 ? 1 : 2;
  const [nearest] = VARIABLES.filter(
    (setting) => isShorterOrLonger(normalized, setting) || differsAtMost(normalized, setting, allowed),
  ).toSorted((one, other) => editDistance(normalized, one) - editDistance(normalized, other));
  return nearest ?? (OWN_PREFIX.test(normalized) ? closestName(normalized, VARIABLES) : null);
}

/** Skips names whose lengths differ by more, since they have a larger distance, which takes time to compute. */
const differsAtMost = (one: string, other: string, distance: number): boolean =>
  Math.abs(one.length - other.length) <= distance && editDistance(one, other) <= distance;

/** True where one name has all words of the other, at least two, followed by more. */
function isShorterOrLonger(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.includes('_') && long.startsWith(`${short}_`);
}
