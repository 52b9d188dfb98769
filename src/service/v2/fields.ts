import type { VersionLanguage } from '../../core/articles/articles.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { isSameId } from '../../core/base/text.ts';

// Reads members of the service's JSON leniently: null for a member that is missing or of another type, so that one
// unexpected member does not make the whole response unreadable. These are plain functions, since a list of a hundred
// articles has a thousand members.

/** A text. */
export const lenientText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A whole number. */
export const lenientInteger = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** A flag. */
export const lenientBoolean = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

/** The ID; null where the member is no text or empty. */
export const lenientId = (value: unknown): string | null => lenientText(value) || null;

/**
 * The language of an entry of a list, which is the requested one whatever the entry names, in the spelling of the entry
 * where it names that one.
 */
export function languageOf({ language_code }: JsonObject, requested: VersionLanguage): string {
  const code = lenientId(language_code);
  return code !== null && isSameId(code, requested.languageCode) ? code : requested.languageCode;
}

/** The date that means no value: see docs/service.md, "IDs and times". */
const NO_DATE = '0001-01-01';

/** The time that means no value, for members that are never null. */
export const NO_TIME = `${NO_DATE}T00:00:00`;

/** A date with an optional time and zone. */
const TIME_FORMAT = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?<zone>Z|[+-]\d\d:?\d\d)?)?$/u;

/** The time; a time without a zone is UTC: see docs/contract.md, "Times". */
export function lenientTime(value: unknown): Date | null {
  const parts = typeof value !== 'string' || value.startsWith(NO_DATE) ? null : TIME_FORMAT.exec(value);
  if (parts === null) return null;
  const date = new Date(parts.groups?.['zone'] ? `${value}` : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** True for a list that has only texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** A list; empty for anything else. */
export const lenientArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object. */
export const lenientObject = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

/** Decodes a list, without the entries for which `decode` returns null. */
export const lenientList = <T>(value: unknown, decode: (entry: unknown) => T | null): readonly T[] =>
  lenientArray(value).flatMap((entry) => decode(entry) ?? []);
