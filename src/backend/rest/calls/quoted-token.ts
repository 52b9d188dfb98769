import { isObject } from '../../../base/json/json-objects.ts';
import { ok } from '../../../base/result.ts';
import { HIDDEN_TOKEN, MIN_HIDDEN_TOKEN_LENGTH } from '../../../domain/callers/hidden-tokens.ts';
import type { RequestResult } from './service-call.ts';

/**
 * Replaces the token where the service quotes it in a message of the envelope or in the `details` of an item, since no
 * answer shows a token, least of all a lent one. Other members hold what was read, and are left as they are.
 */
export function withoutQuotedToken(result: RequestResult, apiToken: string): RequestResult {
  if (!result.ok || apiToken.length < MIN_HIDDEN_TOKEN_LENGTH || !isObject(result.value.body)) return result;
  const { body } = result.value;
  const replaced = Object.entries(body).flatMap(([name, value]) => {
    const replacement = replaceIn(name, value, apiToken);
    return replacement === value ? [] : [[name, replacement] as const];
  });
  return replaced.length === 0 ? result : ok({ ...result.value, body: { ...body, ...Object.fromEntries(replaced) } });
}

function replaceIn(name: string, value: unknown, apiToken: string): unknown {
  switch (name) {
    case 'errors':
    case 'warnings':
    case 'information':
    case 'extension_data':
      return replaceInTexts(value, apiToken);
    case 'data':
    case 'result':
      return Array.isArray(value) ? replaceInDetails(value, apiToken) : value;
    default:
      return value;
  }
}

/** Replaces the token in all texts of a value, at any depth. */
function replaceInTexts(value: unknown, apiToken: string): unknown {
  // Nearly all lists are empty.
  if (value === null || (Array.isArray(value) && value.length === 0)) return value;
  const json = JSON.stringify(value);
  if (!json.includes(JSON.stringify(apiToken).slice(1, -1))) return value;
  return JSON.parse(json, (_name, text: unknown) =>
    typeof text === 'string' ? text.replaceAll(apiToken, HIDDEN_TOKEN) : text,
  );
}

function replaceInDetails(entries: readonly unknown[], apiToken: string): readonly unknown[] {
  const quotes = (entry: unknown) =>
    isObject(entry) && typeof entry['details'] === 'string' && entry['details'].includes(apiToken);
  return entries.some(quotes)
    ? entries.map((entry) =>
        isObject(entry) && typeof entry['details'] === 'string'
          ? { ...entry, details: entry['details'].replaceAll(apiToken, HIDDEN_TOKEN) }
          : entry,
      )
    : entries;
}
