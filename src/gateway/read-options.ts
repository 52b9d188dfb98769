import { isObject } from '../base/json.ts';
import { err, type Result } from '../base/result.ts';
import { closestName } from '../base/spelling.ts';
import { problemOf, type SettingSource } from '../config/setting-reader.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName, type SettingOptions } from '../config/settings.ts';
import { type Config, readConfigOf } from '../config.ts';
import type { GatewayOptions, ServiceOptions, StoreOptions } from './gateway-options.ts';

type OptionValue = string | number | boolean | readonly string[];

/** The paths of the options of a group. */
type PathsOf<T, Prefix extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends OptionValue
    ? `${Prefix}${K}`
    : PathsOf<NonNullable<T[K]>, `${Prefix}${K}.`>;
}[keyof T & string];

type TypeAt<T, Path extends string> = Path extends `${infer K}.${infer Rest}`
  ? K extends keyof T
    ? TypeAt<NonNullable<T[K]>, Rest>
    : never
  : Path extends keyof T
    ? NonNullable<T[Path]>
    : never;

/** All options that stand for settings, with one backend. */
type OptionsWith<Backend> = Omit<GatewayOptions, 'backend' | 'basePath' | 'log'> & {
  readonly backend: Omit<Backend, 'kind'>;
  readonly log: Omit<NonNullable<GatewayOptions['log']>, 'write'>;
};

type StorePath = PathsOf<OptionsWith<StoreOptions>>;
type ServicePath = PathsOf<OptionsWith<ServiceOptions>>;
type TablePath = keyof SettingOptions;

/** The paths whose type in the table differs from that in an interface. */
type Mistyped<Options, Path extends TablePath> = {
  [P in Path]: [TypeAt<Options, P>, SettingOptions[P]] extends [SettingOptions[P], TypeAt<Options, P>] ? never : P;
}[Path];

/** The options that the table of settings lacks, has too many, or has with another type. */
type Differing =
  | Exclude<StorePath | ServicePath, TablePath>
  | Exclude<TablePath, StorePath | ServicePath>
  | Mistyped<OptionsWith<StoreOptions>, TablePath & StorePath>
  | Mistyped<OptionsWith<ServiceOptions>, TablePath & ServicePath>;

/** A type that is only there where nothing differs: the compiler names what does. */
type WhereNone<_Difference extends never, T> = T;

/** Options by their names: settings, and groups of options. */
interface OptionGroup {
  readonly [name: string]: SettingName | OptionGroup;
}

const BACKENDS = {
  store: { kind: 'local', others: SETTING_GROUPS.SERVICE },
  service: { kind: 'rest', others: SETTING_GROUPS.STORE },
} as const;

type Backend = keyof typeof BACKENDS;

/** The settings of options that are left out, where the default is not that of the command line. */
const DEFAULTS: ReadonlyMap<SettingName, OptionValue> = new Map<SettingName, OptionValue>([
  ['PORT', 0],
  ['DEMO_DATA', false],
  ['LOG_LEVEL', 'warn'],
]);

/** Options that must be set where their group is. */
const REQUIRED: ReadonlySet<string> = new Set<TablePath>([
  'backend.databaseUrl',
  'backend.url',
  'clients.issuer',
  'clients.audience',
  'trustedDocuments.path',
  'audit.path',
  'metrics.port',
]);

/** Segments of characters that URLs leave as they are. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/u;

/** Reads the options, as the command line reads its settings. The error is one message that lists every wrong option. */
export function readOptions(options: GatewayOptions): WhereNone<Differing, Result<Config, string>> {
  const { backend, basePath, log, ...others } = membersOf(options);
  const { write, ...logOptions } = membersOf(log);
  const { kind, ...backendOptions } = membersOf(backend);
  const isKnown = kind === 'store' || kind === 'service';
  const given = new GivenOptions(isKnown ? kind : 'store');
  given.add({ ...others, log: isObject(log) ? logOptions : log, ...(isKnown && { backend: backendOptions }) });
  given.problems.push(...problemsOfOthers({ basePath, write }));
  if (!isKnown) return err(messageOf([...given.problems, UNKNOWN_BACKEND]));
  // The command line generates a token then, and prints it.
  if (given.has('UPSTREAM_API_TOKEN') && !given.has('API_TOKEN') && !given.has('CLIENT_JWT_ISSUER'))
    given.problems.push('backend.apiTokens must be set, or clients: backend.apiToken is lent to nobody else');
  const config = readConfigOf(given.source(), BACKENDS[kind].kind);
  const problems = [...given.problems, ...(config.ok ? [] : config.error)];
  return config.ok && problems.length === 0 ? config : err(messageOf(problems));
}

/** JavaScript can pass anything. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const UNKNOWN_BACKEND = 'backend must be an object whose kind is "store" or "service"';

/** The problems of options that stand for no setting. */
const problemsOfOthers = ({ basePath, write }: Readonly<Record<'basePath' | 'write', unknown>>): readonly string[] => [
  ...(basePath === undefined || (typeof basePath === 'string' && BASE_PATH.test(basePath))
    ? []
    : ['basePath must be a path such as /kb, without a slash at its end']),
  ...(write === undefined || typeof write === 'function' ? [] : ['log.write must be a function']),
];

const messageOf = (problems: readonly string[]): string =>
  ['These options of the gateway are wrong:', ...new Set(problems)].join('\n  ');

/** The settings in their second spelling, with all that is wrong with the names and the types of options. */
class GivenOptions {
  readonly problems: string[] = [];
  readonly #backend: Backend;
  readonly #values = new Map<SettingName, unknown>(DEFAULTS);
  /** Options that are missing or of a wrong type count as set, so that their lack is no second problem. */
  readonly #wrong = new Map<SettingName, string>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  has(name: SettingName): boolean {
    return this.#values.has(name) || this.#wrong.has(name);
  }

  add(options: Readonly<Record<string, unknown>>): void {
    const { others } = BACKENDS[this.#backend];
    const isOfOther = (name: SettingName) => name in others && SETTINGS[name].option?.startsWith('backend.');
    const names = SETTING_NAMES.filter((name) => !isOfOther(name));
    this.#addGroup(options, groupOf(names), '');
  }

  source(): SettingSource {
    const nameOf = (name: SettingName) => SETTINGS[name].option ?? name;
    const source: SettingSource = {
      nameOf,
      fileOf: () => null,
      given: (name) => this.#values.get(name),
      isSet: (name) => this.has(name),
      read: (name, type) => {
        const value = type.ofOption(this.#values.get(name));
        if (value === null) return err(this.#wrong.get(name) ?? '');
        return value.ok ? value : err(problemOf(source, name, value.error));
      },
    };
    return source;
  }

  /** The prefix is the path of the group, with its dot. */
  #addGroup(options: Readonly<Record<string, unknown>>, group: OptionGroup, prefix: string): void {
    this.#reportUnknown(Object.keys(options), Object.keys(group), prefix);
    for (const [name, entry] of Object.entries(group)) {
      const value = options[name];
      if (typeof entry === 'string') this.#addOption(entry, value, `${prefix}${name}`);
      else if (isObject(value)) this.#addGroup(value, entry, `${prefix}${name}.`);
      else if (value !== undefined) this.problems.push(`${prefix}${name} must be an object`);
    }
  }

  #addOption(name: SettingName, value: unknown, path: string): void {
    const { type } = SETTINGS[name];
    const isRequired = REQUIRED.has(path) || (name === 'API_TOKEN' && this.#backend === 'store');
    const isEmpty = Array.isArray(value) && value.length === 0;
    const isList = type.ofOption([]) !== null;
    const form = `${type.optionForm}${isRequired && isList ? ', and not empty' : ''}`;
    if (value === undefined && isRequired) this.#reject(name, `${path} must be set: ${form}`);
    else if (value !== undefined && (type.ofOption(value) === null || (isEmpty && isRequired)))
      this.#reject(name, `${path} must be ${form}`);
    else if (value !== undefined && !isEmpty) this.#values.set(name, value);
  }

  #reject(name: SettingName, problem: string): void {
    this.#wrong.set(name, problem);
    this.problems.push(problem);
  }

  #reportUnknown(names: readonly string[], known: readonly string[], prefix: string): void {
    for (const name of names.filter((other) => !known.includes(other))) {
      const meant = closestName(name, known);
      const hint = meant === null ? '' : `: is ${prefix}${meant} meant?`;
      this.problems.push(`${prefix}${name} is no option${hint}`);
    }
  }
}

/** The options that stand for settings, in the groups that their paths name. */
function groupOf(names: readonly SettingName[], prefix = ''): OptionGroup {
  const group: Record<string, SettingName | OptionGroup> = {};
  for (const name of names) {
    const path = SETTINGS[name].option;
    if (path === null || !path.startsWith(prefix)) continue;
    const [first = '', second] = path.slice(prefix.length).split('.');
    group[first] ??= second === undefined ? name : groupOf(names, `${prefix}${first}.`);
  }
  return group;
}
