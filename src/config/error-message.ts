import type { z } from 'zod';
import { type MisspeltSetting, misspeltMessage } from './misspelt-settings.ts';

/** One message that lists every wrong setting with its value and the allowed values, and the misspelt ones. */
export function configErrorMessage(
  error: z.ZodError,
  environment: Readonly<Record<string, string | undefined>>,
  misspelt: readonly MisspeltSetting[],
): string {
  const problems = error.issues.map(({ path: [name], message }) => {
    const setting = String(name);
    return `  ${setting} ${displayedValue(setting, environment[setting])}; allowed: ${message}`;
  });
  const hints = misspelt.map((setting) => `  ${misspeltMessage(setting)}`);
  return ['These settings are wrong:', ...new Set(problems), ...hints].join('\n');
}

/** The value of a setting without secrets: tokens, keys, and the user and query of a URL. */
function displayedValue(setting: string, value = ''): string {
  if (value === '') return 'is not set';
  if (/(?:API_TOKEN|_KEY)$/u.test(setting)) return 'was given a value that is not shown';
  const redacted = value.replace(/^.*@/su, '…@').replace(/[?#].*/su, '?…');
  return `is ${JSON.stringify(redacted.length > 100 ? `${redacted.slice(0, 100)}…` : redacted)}`;
}
