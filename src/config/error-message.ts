import type { z } from 'zod';
import { toPrintableJson } from '../base/printable.ts';
import { type MisspeltSetting, misspeltMessage } from './misspelt-settings.ts';
import type { ResolvedSecrets } from './secret-files.ts';

/** One message that lists every wrong setting with its value and the allowed values, and the misspelt ones. */
export function configErrorMessage(
  issues: readonly z.core.$ZodIssue[],
  { environment, problems: fileProblems }: ResolvedSecrets,
  misspelt: readonly MisspeltSetting[],
): string {
  const problemOf = (setting: string, allowed: string) =>
    `  ${setting} ${displayedValue(setting, environment[setting])}; allowed: ${allowed}`;
  const problems = issues
    .map(({ path: [name], message }) => ({ setting: String(name), message }))
    // The lack of a secret whose file can't be used is no second problem.
    .filter(({ setting }) => !fileProblems.has(`${setting}_FILE`))
    .map(({ setting, message }) => problemOf(setting, message));
  for (const [setting, allowed] of fileProblems) problems.push(problemOf(setting, allowed));
  const hints = misspelt.map((setting) => `  ${misspeltMessage(setting)}`);
  return ['These settings are wrong:', ...new Set(problems), ...hints].join('\n');
}

/**
 * A `…_FILE` is shown only in this form: it begins with `./`, `../`, `~/`, a drive, or a folder such as `/run/` or
 * `/Users/`. A secret may have been given in place of its file, and one in Base64 may begin with a slash.
 */
const LIKE_A_PATH = /^(?:\.{1,2}\/|~\/|[A-Za-z]:[\\/]|\/[A-Z]?[a-z][a-z\d._-]*\/)/u;

/** The value of a setting without secrets: tokens, keys, and the user and query of a URL. */
function displayedValue(setting: string, value = ''): string {
  if (value === '') return 'is not set';
  const isSecret = /(?:API_TOKEN|_KEY)$/u.test(setting) || (setting.endsWith('_FILE') && !LIKE_A_PATH.test(value));
  if (isSecret) return 'was given a value that is not shown';
  const redacted = redactUrl(value);
  return `is ${toPrintableJson(redacted.length > 100 ? `${redacted.slice(0, 100)}…` : redacted)}`;
}

/** Leaves out the user and the query of a URL. */
export const redactUrl = (text: string): string => text.replace(/^.*@/su, '…@').replace(/[?#].*/su, '?…');
