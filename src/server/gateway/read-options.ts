import { isObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { closestName } from '../../core/base/spelling.ts';
import { DEV_ISSUER } from '../../core/callers/caller.ts';
import type { SettingSource } from '../config/setting-reader.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName, type SettingOptions } from '../config/settings.ts';
import { type Config, readConfigOf } from '../config.ts';
import type { GatewayOptions, ServiceOptions, StoreOptions } from './gateway-options.ts';

type OptionValue = string | number | boolean | readonly string[];

type OptionsIn<T, Prefix extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends OptionValue
    ? [`${Prefix}${K}`, NonNullable<T[K]>]
    : OptionsIn<NonNullable<T[K]>, `${Prefix}${K}.`>;
}[keyof T & string];

type OptionsWith<Backend> = OptionsIn<
  Omit<GatewayOptions, 'backend' | 'basePath' | 'authenticate' | 'log'> & {
    readonly backend: Omit<Backend, 'kind'>;
    readonly log: Omit<NonNullable<GatewayOptions['log']>, 'write'>;
  }
>;

type Declared = OptionsWith<StoreOptions> | OptionsWith<ServiceOptions>;

type InTable = { [Path in keyof SettingOptions]: [Path, SettingOptions[Path]] }[keyof SettingOptions];

/** The options that differ from the table of settings: missing there, additional there, or of another type. */
type Differing = Exclude<Declared, InTable> | Exclude<InTable, Declared>;

/** A type that exists only where nothing differs, so that the compiler names the difference. */
type WhereNone<_Difference extends never, T> = T;

const BACKENDS = {
  store: { kind: 'local', others: SETTING_GROUPS.SERVICE },
  service: { kind: 'rest', others: SETTING_GROUPS.STORE },
} as const;

type Backend = keyof typeof BACKENDS;

/** The settings of omitted options, where the default is not that of the command line. */
const DEFAULTS: ReadonlyMap<SettingName, Result<string, string>> = new Map([
  ['PORT', ok('0')],
  ['DEMO_DATA', ok('false')],
  ['LOG_LEVEL', ok('warn')],
]);

const REQUIRED: ReadonlySet<string> = new Set<keyof SettingOptions>([
  'backend.databaseUrl',
  'backend.url',
  'clients.issuer',
  'clients.audience',
  'consoleSignIn.issuer',
  'consoleSignIn.clientId',
  'trustedDocuments.path',
  'audit.path',
  'metrics.port',
]);

/** A path whose segments need no escaping in URLs. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/u;

/** Reads the options as the command line reads its settings. The error is one message that lists every wrong option. */
export function readOptions(options: GatewayOptions): WhereNone<Differing, Result<Config, string>> {
  const { backend, basePath, authenticate, log, ...others } = membersOf(options);
  const { write, ...logOptions } = membersOf(log);
  const { kind, ...backendOptions } = membersOf(backend);
  const isKnown = kind === 'store' || kind === 'service';
  const given = new GivenOptions(isKnown ? kind : 'store');
  given.add({ ...others, log: isObject(log) ? logOptions : log, ...(isKnown && { backend: backendOptions }) });
  const { problems } = given;
  problems.push(...problemsBesideSettings({ basePath, authenticate, write, clients: others['clients'] }));
  if (!isKnown) return err(messageOf([...problems, 'backend must be an object whose kind is "store" or "service"']));
  // The command line generates a token instead, and prints it.
  const knowsClients = authenticate !== undefined || given.isSet('CLIENT_JWT_ISSUER');
  if (given.isSet('UPSTREAM_API_TOKEN') && !given.isSet('API_TOKEN') && !knowsClients)
    problems.push(
      'backend.apiTokens must be set, or clients or authenticate: backend.apiToken is used for nobody else',
    );
  const config = readConfigOf(given, BACKENDS[kind].kind);
  if (!config.ok) problems.push(...config.error);
  return config.ok && problems.length === 0 ? config : err(messageOf(problems));
}

function problemsBesideSettings(options: Readonly<Record<string, unknown>>): readonly string[] {
  const { basePath = '', authenticate, write, clients } = options;
  const isFunction = (value: unknown) => value === undefined || typeof value === 'function';
  return [
    ...(typeof basePath === 'string' && BASE_PATH.test(basePath) ? [] : [BASE_PATH_RULE]),
    ...(isFunction(write) ? [] : ['log.write must be a function']),
    ...(isFunction(authenticate) ? [] : ['authenticate must be a function']),
    ...(authenticate !== undefined && clients !== undefined ? [ONE_AUTHENTICATION] : []),
    ...(membersOf(clients)['issuer'] === DEV_ISSUER ? [NOT_FOR_TRYING] : []),
  ];
}

const BASE_PATH_RULE = 'basePath must be a path such as /kb, without a slash at its end';

/** JWTs for trying are refused: the server of the host may be reachable from other machines, and the gateway can't know. */
const NOT_FOR_TRYING = `clients.issuer must not be ${DEV_ISSUER}: JWTs for trying are for kb-gateway serve on this machine`;

const ONE_AUTHENTICATION = 'clients and authenticate are both set: authenticate takes the place of clients';

/** The members of a value that may be anything in JavaScript. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

const messageOf = (problems: readonly string[]): string =>
  ['These options of the gateway are wrong:', ...new Set(problems)].join('\n  ');

class GivenOptions implements SettingSource {
  readonly problems: string[] = [];
  readonly #backend: Backend;
  /** The settings of the known options, by the paths of the options. */
  readonly #settings: ReadonlyMap<string, SettingName>;
  /** The values in the form of the environment. A missing required option counts as empty. */
  readonly #texts = new Map(DEFAULTS);

  constructor(backend: Backend) {
    const { others } = BACKENDS[backend];
    this.#backend = backend;
    this.#settings = new Map(
      SETTING_NAMES.flatMap((name) => {
        const { option } = SETTINGS[name];
        return option === null || (name in others && option.startsWith('backend.')) ? [] : [[option, name]];
      }),
    );
  }

  /** Adds the options of a group. The prefix is the path of the group, with its dot. */
  add(options: Readonly<Record<string, unknown>>, prefix = ''): void {
    const paths = this.#settings.keys().filter((path) => path.startsWith(prefix));
    const known = [...new Set(paths.map((path) => path.slice(prefix.length).split('.')[0] ?? ''))];
    for (const name of Object.keys(options).filter((other) => !known.includes(other))) {
      const meant = closestName(name, known);
      this.problems.push(`${prefix}${name} is no option${meant === null ? '' : `: is ${prefix}${meant} meant?`}`);
    }
    for (const name of known) {
      const [path, value] = [`${prefix}${name}`, options[name]];
      const setting = this.#settings.get(path);
      if (setting !== undefined) this.#addOption(setting, path, value);
      else if (isObject(value)) this.add(value, `${path}.`);
      else if (value !== undefined) this.problems.push(`${path} must be an object`);
    }
  }

  nameOf(name: SettingName): string {
    return SETTINGS[name].option ?? name;
  }

  isSet(name: SettingName): boolean {
    return this.#texts.has(name);
  }

  textOf(name: SettingName): Result<string, string> {
    return this.#texts.get(name) ?? ok('');
  }

  #addOption(name: SettingName, path: string, value: unknown): void {
    const isRequired = REQUIRED.has(path) || (name === 'API_TOKEN' && this.#backend === 'store');
    const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0);
    if (!isAbsent) this.#texts.set(name, textOfOption(path, value));
    else if (isRequired) this.#texts.set(name, ok(''));
  }
}

function textOfOption(path: string, value: unknown): Result<string, string> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return ok(`${value}`);
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && /^[^\s,]+$/u.test(item));
  return isList
    ? ok(value.join(','))
    : err(`${path} must be a text, a number, true or false, or an array of texts without commas and spaces`);
}
