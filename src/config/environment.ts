import { err, ok, type Result } from '../base/result.ts';
import { displayedValue, problemOf, type SettingSource } from './setting-reader.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';

/** Variables, by their names. An empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a small file of text. The error says in a few words why it can't be read. */
export type ReadSecretFile = (path: string) => Result<string, string>;

/** The settings in their first spelling: variables, and the files of secrets. */
export function environmentSource(environment: Environment, readFile: ReadSecretFile): SettingSource {
  const pathOf = (name: SettingName): string =>
    SETTINGS[name].secret === undefined ? '' : (environment[`${name}_FILE`] ?? '');
  const variableOf = (name: SettingName): string =>
    name in SETTING_GROUPS.PROXIES && environment[name.toLowerCase()] ? name.toLowerCase() : name;
  const given = (name: SettingName): string => environment[variableOf(name)] ?? '';
  const source: SettingSource = {
    nameOf: variableOf,
    fileOf: (name) => (pathOf(name) === '' ? null : `${name}_FILE`),
    given,
    isSet: (name) => given(name) !== '' || pathOf(name) !== '',
    read: (name, type) => {
      const secret = pathOf(name) === '' ? ok(given(name)) : readSecret(name, pathOf(name));
      if (!secret.ok) return secret;
      const value = type.ofText(secret.value);
      return value.ok ? value : err(problemOf({ ...source, given: () => secret.value }, name, value.error));
    },
  };
  const readSecret = (name: SettingName, path: string): Result<string, string> => {
    const read = given(name) === '' ? secretIn(readFile(path)) : null;
    if (read?.ok) return read;
    const allowed = read === null ? `either this or ${name}` : `a file that holds ${name} (${read.error})`;
    return err(`${name}_FILE ${displayedValue(path, !LIKE_A_PATH.test(path))}; allowed: ${allowed}`);
  };
  return source;
}

/** The line break at the end of a file is no part of the secret. Nothing at all would count as unset. */
function secretIn(read: Result<string, string>): Result<string, string> {
  if (!read.ok) return read;
  const value = read.value.replace(/[\r\n]+$/u, '');
  return value === '' ? err('it is empty') : ok(value);
}

/**
 * A `…_FILE` is shown only in this form: it begins with `./`, `../`, `~/`, a drive, or a folder such as `/run/` or
 * `/Users/`. A secret may have been given in place of its file, and one in Base64 may begin with a slash.
 */
const LIKE_A_PATH = /^(?:\.{1,2}\/|~\/|[A-Za-z]:[\\/]|\/[A-Z]?[a-z][a-z\d._-]*\/)/u;

/** The variables that have an effect, but for those of proxies, which many programs have. */
export const VARIABLES: readonly string[] = SETTING_NAMES.filter((name) => !(name in SETTING_GROUPS.PROXIES)).flatMap(
  (name) => (SETTINGS[name].secret === undefined ? [name] : [name, `${name}_FILE`]),
);
