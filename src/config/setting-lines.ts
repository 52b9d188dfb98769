import { toPrintable } from '../base/printable.ts';
import { redactUrl } from './error-message.ts';
import { proxyVariablesFor } from './proxy.ts';
import { SECRET_SETTINGS } from './secret-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One line for each setting in use, with its value or default. Secrets are not shown. */
export function settingLines(
  names: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  environment: Environment,
): readonly string[] {
  const lines = names.map((name) => settingLine(name, settings[name], environment));
  const proxies = proxyVariablesFor(settings, environment).map(
    (name) => `${name}=${toPrintable(redactUrl(environment[name] ?? ''))}`,
  );
  return [...lines, ...proxies];
}

const DATABASES: readonly string[] = ['DATABASE_URL', 'STATE_URL'];

function settingLine(name: string, value: unknown, environment: Environment): string {
  const isUnset = value === undefined || (Array.isArray(value) && value.length === 0);
  if (isUnset) return `${name} is not ${environment[name] ? 'used' : 'set'}`;
  // The place of a database is shown, without its user.
  if (SECRET_SETTINGS.includes(name) && !DATABASES.includes(name)) {
    return `${name} is set, and not shown${environment[`${name}_FILE`] ? ` (${name}_FILE)` : ''}`;
  }
  return `${name}=${toPrintable(redactUrl(String(value)))}`;
}
