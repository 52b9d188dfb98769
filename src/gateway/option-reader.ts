import { closestName } from '../base/spelling.ts';
import type { NameOptions } from './option-names.ts';
import { isSetting, type OptionGroup, type OptionSetting, type OptionType } from './option-settings.ts';

const TYPE_NAMES = {
  text: 'a string that is not empty',
  number: 'a number',
  boolean: 'true or false',
  list: 'an array of strings, each without commas or spaces around it',
} as const satisfies Record<OptionType, string>;

const IS_OF_TYPE = {
  text: (value: unknown) => typeof value === 'string' && value !== '',
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value) && value.every(isListItem),
} as const satisfies Record<OptionType, (value: unknown) => boolean>;

/** The lists of settings are separated by commas. */
const isListItem = (item: unknown): boolean => typeof item === 'string' && /^[^\s,]+$/u.test(item);

export const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Collects the settings that options stand for, and all that is wrong with the options. */
export class OptionReader {
  readonly environment: Record<string, string> = {};
  readonly problems: string[] = [];

  /** Reads a group of options. The prefix is the path of the group, with its dot. */
  readGroup(options: Readonly<Record<string, unknown>>, settings: OptionGroup, prefix: string): void {
    this.#reportUnknown(Object.keys(options), { known: Object.keys(settings), prefix });
    for (const [name, entry] of Object.entries(settings)) {
      const [value, path] = [options[name], `${prefix}${name}`];
      if (isSetting(entry)) this.#readOption(value, entry, path);
      else if (isGroup(value)) this.readGroup(value, entry, `${path}.`);
      else if (value !== undefined) this.problems.push(`${path} must be an object`);
    }
  }

  /** Adds the problems that the rules of the settings find, which name settings. The first line is a heading. */
  addProblemsOfSettings(message: string, nameOptions: NameOptions): void {
    for (const line of message.split('\n').slice(1)) {
      const problem = nameOptions(line.trim());
      const [option = ''] = problem.split(' ', 1);
      // A value of the wrong type is no setting, so that its lack is no second problem.
      if (!this.problems.some((other) => other.startsWith(`${option} `))) this.problems.push(problem);
    }
  }

  #readOption(value: unknown, { setting, type, isRequired }: OptionSetting, path: string): void {
    const allowed = `${TYPE_NAMES[type]}${type === 'list' && isRequired ? ', and not empty' : ''}`;
    const isEmptyList = Array.isArray(value) && value.length === 0;
    if (value === undefined) {
      if (isRequired) this.problems.push(`${path} must be set: ${allowed}`);
    } else if (!IS_OF_TYPE[type](value) || (isRequired && isEmptyList))
      this.problems.push(`${path} must be ${allowed}`);
    else this.environment[setting] = String(value);
  }

  #reportUnknown(
    names: readonly string[],
    { known, prefix }: { readonly known: readonly string[]; readonly prefix: string },
  ): void {
    for (const name of names.filter((other) => !known.includes(other))) {
      const meant = closestName(name, known);
      const hint = meant === null ? '' : `: is ${prefix}${meant} meant?`;
      this.problems.push(`${prefix}${name} is no option${hint}`);
    }
  }
}
