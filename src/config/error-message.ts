import type { z } from 'zod';

/** One message that lists every problem: what was given and what is allowed. */
export function explain(error: z.ZodError, environment: Readonly<Record<string, string | undefined>>): string {
  const problems = error.issues.map(({ path: [name], message }) => {
    const setting = String(name);
    return `  ${setting} ${shown(setting, environment[setting])}; allowed: ${message}`;
  });
  return ['These settings are wrong:', ...new Set(problems)].join('\n');
}

/** What was given, without what may be a secret: tokens, keys (one may be the private one), and in a URL the user and the query. */
function shown(setting: string, value = ''): string {
  if (value === '') return 'is not set';
  if (/(?:API_TOKEN|_KEY)$/u.test(setting)) return 'was given a value that is not shown';
  const harmless = value.replace(/^.*@/su, '…@').replace(/[?#].*/su, '?…');
  return `is ${JSON.stringify(harmless.length > 100 ? `${harmless.slice(0, 100)}…` : harmless)}`;
}
