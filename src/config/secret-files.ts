import { err, ok, type Result } from '../base/result.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that may come as files: `API_TOKEN_FILE` names the file whose content is `API_TOKEN`. */
export const SECRET_SETTINGS = ['API_TOKEN', 'UPSTREAM_API_TOKEN', 'DATABASE_URL', 'STATE_URL', 'CLIENT_PUBLIC_KEY'];

/** Reads a small file of text. The error says in a few words why it can't be read. */
export type ReadSecretFile = (path: string) => Result<string, string>;

export interface ResolvedSecrets {
  /** The environment, with the contents of the files as the settings themselves. */
  readonly environment: Environment;
  /** What is allowed in place of each `…_FILE` that can't be used. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Reads the files of the secrets that are in use. */
export function resolveSecretFiles(environment: Environment, readFile: ReadSecretFile): ResolvedSecrets {
  const contents: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of secretsInUse(environment)) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    const secret = environment[name] ? null : secretIn(readFile(path));
    if (secret === null) problems.set(`${name}_FILE`, `either this or ${name}`);
    else if (secret.ok) contents[name] = secret.value;
    else problems.set(`${name}_FILE`, `a file that holds ${name} (${secret.error})`);
  }
  return { environment: { ...environment, ...contents }, problems };
}

function secretsInUse(environment: Environment): readonly string[] {
  const isSet = (name: string) => Boolean(environment[name] || environment[`${name}_FILE`]);
  // The URL itself is no secret, so it never comes from a file.
  const unused = !environment['UPSTREAM_URL']
    ? ['UPSTREAM_API_TOKEN']
    : ['DATABASE_URL', ...(isSet('UPSTREAM_API_TOKEN') ? [] : ['API_TOKEN'])];
  return SECRET_SETTINGS.filter((name) => !unused.includes(name));
}

/** The line break at the end of a file is no part of the secret. Nothing at all would count as unset. */
function secretIn(read: Result<string, string>): Result<string, string> {
  if (!read.ok) return read;
  const value = read.value.replace(/[\r\n]+$/u, '');
  return value === '' ? err('it is empty') : ok(value);
}
