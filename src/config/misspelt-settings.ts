import { toPrintable } from '../base/printable.ts';
import { editDistance } from '../base/spelling.ts';

/**
 * A variable that looks like a setting and is none: with the setting that was probably meant, or, where earlier versions
 * had a setting of that name, with what to do instead.
 */
export type MisspeltSetting = { readonly name: string } & ({ readonly meant: string } | { readonly instead: string });

export function misspeltMessage(setting: MisspeltSetting): string {
  const name = toPrintable(setting.name);
  return 'meant' in setting
    ? `${name} is no setting and has no effect: is ${setting.meant} meant?`
    : `${name} is no setting any more and has no effect: ${setting.instead}`;
}

/** No setting has a longer name, even with a word too many. */
const MAX_NAME_LENGTH = 48;

/** Settings that had another name in earlier versions. */
const RENAMED_SETTINGS: ReadonlyMap<string, string> = new Map([['CALLER_RATE_LIMIT', 'CALLER_REQUESTS_PER_MINUTE']]);

/** Bounds that were settings in earlier versions. */
const CONSTANTS = [
  ...['MAX_QUERY_BYTES', 'MAX_QUERY_TOKENS', 'MAX_QUERY_FIELDS', 'MAX_QUERY_ALIASES', 'MAX_QUERY_DIRECTIVES'],
  ...['MAX_ROOT_FIELDS', 'MAX_INPUT_VALUES', 'MAX_LIST_ITEMS', 'QUERY_CACHE_BYTES'],
  ...['MAX_ANSWER_FIELDS', 'MAX_ANSWER_CHARS', 'MAX_ANSWER_TEXT'],
];

/** Settings of earlier versions that are gone, and what to do instead. */
const REMOVED_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['WORKERS', 'run several gateways, such as replicas, with one STATE_URL in PostgreSQL; remove the variable'],
  ...CONSTANTS.map(
    (name) => [name, 'this bound is a constant, which the page on limits tells; remove the variable'] as const,
  ),
]);

/** Names of several words with these first ones are the gateway's. */
const OWN_PREFIX = /^(?:UPSTREAM|CLIENT_JWT|CLIENT_JWKS)_/u;

/** Finds the names among those of the environment that no setting has, though one has nearly the same. */
export function findMisspeltSettings(
  names: readonly string[],
  settings: readonly string[],
): readonly MisspeltSetting[] {
  const known = new Set(settings);
  return names.flatMap((name): readonly MisspeltSetting[] => {
    if (known.has(name) || name.length > MAX_NAME_LENGTH) return [];
    const instead = REMOVED_SETTINGS.get(name);
    if (instead !== undefined) return [{ name, instead }];
    const meant = nearestSetting(name, settings);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function nearestSetting(name: string, settings: readonly string[]): string | undefined {
  const normalized = name.toUpperCase().replaceAll('-', '_');
  const renamed = RENAMED_SETTINGS.get(normalized);
  if (renamed !== undefined) return renamed;
  const allowed = name.length < 8 ? 1 : 2;
  // Names whose lengths differ by more have a larger distance, which takes time to compute.
  const similar = settings.filter((setting) => Math.abs(setting.length - normalized.length) <= allowed);
  const nearest = nearestOf(normalized, similar);
  if (nearest && nearest.distance <= allowed) return nearest.setting;
  const related = OWN_PREFIX.test(normalized)
    ? settings
    : settings.filter((setting) => isShorterOrLonger(normalized, setting));
  return nearestOf(normalized, related)?.setting;
}

/** Finds the first of those with the smallest distance. */
const nearestOf = (name: string, settings: readonly string[]) =>
  settings
    .map((setting) => ({ setting, distance: editDistance(name, setting) }))
    .sort((one, other) => one.distance - other.distance)
    .at(0);

/** True where one name has all words of the other, at least two, and more after them. */
function isShorterOrLonger(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.includes('_') && long.startsWith(`${short}_`);
}
