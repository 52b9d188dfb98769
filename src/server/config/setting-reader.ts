import { toPrintable, toPrintableJson } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { shorten } from '../../core/base/text.ts';
import type { SettingType } from './setting-types.ts';
import {
  SETTING_GROUPS,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
} from './settings.ts';

export interface SettingSource {
  readonly nameOf: (setting: SettingName) => string;
  readonly isSet: (setting: SettingName) => boolean;
  /** The text of a setting that is set. The error is the whole problem, in one line. */
  readonly textOf: (setting: SettingName) => Result<string, string>;
}

export interface SettingWarning {
  /** The name of the setting in messages. */
  readonly setting: string;
  readonly reason: string;
}

/** Reads settings by their types, and collects all problems. */
export class SettingReader {
  readonly #source: SettingSource;
  readonly #problems = new Map<SettingName, string>();
  readonly #warnings: SettingWarning[] = [];
  readonly #values = new Map<SettingName, unknown>();

  constructor(source: SettingSource) {
    this.#source = source;
  }

  get<Name extends SettingName>(name: Name): SettingValues[Name] {
    const { type, fallback }: Setting<SettingValues[Name]> = SETTINGS[name];
    const read = this.#source.isSet(name) ? this.#read(name, type) : null;
    if (read !== null && !read.ok) this.#problems.set(name, read.error);
    const value = read?.ok ? read.value : fallback;
    this.#values.set(name, value);
    return value;
  }

  #read<Value>(name: SettingName, type: SettingType<Value>): Result<Value, string> {
    const text = this.#source.textOf(name);
    if (!text.ok) return text;
    const value = text.value === '' ? err(type.allowed) : type.parse(text.value);
    return value.ok ? value : err(this.#problemOf(name, text.value, value.error));
  }

  isSet(name: SettingName): boolean {
    return this.#source.isSet(name);
  }

  nameOf(name: SettingName): string {
    return this.#source.nameOf(name);
  }

  /** Reports a setting that breaks a rule. An unreadable value is not reported twice. */
  reject(name: SettingName, allowed: string): void {
    if (this.#problems.has(name)) return;
    const text = this.#source.textOf(name);
    this.#problems.set(name, this.#problemOf(name, text.ok ? text.value : '', allowed));
  }

  /** Adds a warning. The reason is the rest of a sentence that begins with the setting's name. */
  warn(name: SettingName, reason: string): void {
    this.#warnings.push({ setting: this.nameOf(name), reason });
  }

  #problemOf(name: SettingName, text: string, allowed: string): string {
    return `${this.nameOf(name)} ${displayedText(text, SETTINGS[name].secret === 'hidden')}; allowed: ${allowed}`;
  }

  /** A line for each problem, in the order of the table. */
  problems(): readonly string[] {
    return SETTING_NAMES.flatMap((name) => this.#problems.get(name) ?? []);
  }

  warnings(): readonly SettingWarning[] {
    return this.#warnings;
  }

  /** A line for each setting that was read, without secrets: first those that were set, then the defaults. */
  lines(): { readonly set: readonly string[]; readonly defaults: readonly string[] } {
    const [set, defaults]: [string[], string[]] = [[], []];
    for (const name of SETTING_NAMES)
      if (this.#values.has(name)) (this.isSet(name) ? set : defaults).push(this.#line(name));
    return { set, defaults };
  }

  #line(name: SettingName): string {
    const value = this.#values.get(name);
    const isUnset = value === undefined || (Array.isArray(value) && value.length === 0);
    if (isUnset) return `${name} is not set`;
    return SETTINGS[name].secret === 'hidden'
      ? `${name} is set, and not shown`
      : `${this.nameOf(name)}=${toPrintable(redactUrl(String(value)))}`;
  }
}

/** The text of a setting without its secrets: the user and query of a URL. */
function displayedText(text: string, isHidden: boolean): string {
  if (text === '') return 'is not set';
  if (isHidden) return 'was given a value that is not shown';
  return `is ${toPrintableJson(shorten(redactUrl(text)))}`;
}

/** Removes the user and the query of a URL. */
const redactUrl = (text: string): string => text.replace(/^.*@/su, '…@').replace(/[?#].*/su, '?…');

/** Variables by name. An empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a small text file. The error is the reason in a few words. */
export type ReadSecretFile = (path: string) => Result<string, string>;

export function environmentSource(environment: Environment, readFile: ReadSecretFile): SettingSource {
  const pathOf = (name: SettingName): string =>
    SETTINGS[name].secret === undefined ? '' : (environment[`${name}_FILE`] ?? '');
  const variableOf = (name: SettingName): string =>
    name in SETTING_GROUPS.PROXIES && environment[name.toLowerCase()] ? name.toLowerCase() : name;
  const given = (name: SettingName): string => environment[variableOf(name)] ?? '';
  const readSecret = (name: SettingName): Result<string, string> => {
    if (given(name) !== '') return err(`${name}_FILE and ${name} are both set; allowed: one of them`);
    const read = secretIn(readFile(pathOf(name)));
    // The path is not shown, since it may be a secret that was given by mistake.
    return read.ok ? read : err(`${name}_FILE names no file that holds ${name} (${read.error})`);
  };
  return {
    nameOf: variableOf,
    isSet: (name) => given(name) !== '' || pathOf(name) !== '',
    textOf: (name) => (pathOf(name) === '' ? ok(given(name)) : readSecret(name)),
  };
}

/** Removes the line break at the end of a file. An empty file counts as unset. */
function secretIn(read: Result<string, string>): Result<string, string> {
  if (!read.ok) return read;
  const value = read.value.replace(/[\r\n]+$/u, '');
  return value === '' ? err('it is empty') : ok(value);
}

/** The variables that have an effect, without those of proxies, which many programs have. */
export const VARIABLES: readonly string[] = SETTING_NAMES.filter((name) => !(name in SETTING_GROUPS.PROXIES)).flatMap(
  (name) => (SETTINGS[name].secret === undefined ? [name] : [name, `${name}_FILE`]),
);
