import type { VersionLanguage } from '../../core/articles/articles.ts';
import { isObject, type JsonObject } from '../../core/base/json.ts';
import { isSameId } from '../../core/base/text.ts';

/** Thrown for a member of another type than it has in the service's API file. */
export class UnreadableMember extends Error {
  /** The place of the member in the payload. */
  readonly place: string;

  constructor(place: string) {
    super(`The member ${place} cannot be read.`);
    this.place = place;
  }
}

/** Decodes a part of a payload, so that an error names its place in the whole. */
export function at<T>(placeOf: () => string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof UnreadableMember)) throw error;
    throw new UnreadableMember(error.place === '' ? placeOf() : `${placeOf()}.${error.place}`);
  }
}

/** The entry as an object. */
export function objectOf(entry: unknown): JsonObject {
  if (!isObject(entry)) throw new UnreadableMember('');
  return entry;
}

function member<T>(entry: JsonObject, name: string, read: (value: unknown) => T | null): T | null {
  const value = entry[name];
  if (value == null) return null;
  const found = read(value);
  if (found === null) throw new UnreadableMember(name);
  return found;
}

export const textIn = (entry: JsonObject, name: string): string | null => member(entry, name, lenientText);

/** An ID; null also where it is empty. */
export const idIn = (entry: JsonObject, name: string): string | null => textIn(entry, name) || null;

export const integerIn = (entry: JsonObject, name: string): number | null => member(entry, name, lenientInteger);

export const booleanIn = (entry: JsonObject, name: string): boolean | null => member(entry, name, lenientBoolean);

/** A time; null also for a text that is none. */
export const timeIn = (entry: JsonObject, name: string): Date | null => lenientTime(textIn(entry, name));

/** The members by which entries of lists are identified. */
const IDS = ['id', 'code', 'article_id'] as const;

const isEntry = (value: unknown): boolean => isObject(value) && IDS.some((name) => lenientId(value[name]) !== null);

const arrayOf = (value: unknown): readonly unknown[] | null =>
  Array.isArray(value) ? value : isEntry(value) ? [value] : null;

/** A list; empty where it is null or missing. An entry in the place of a list is a list of one. */
export const listIn = (entry: JsonObject, name: string): readonly unknown[] => member(entry, name, arrayOf) ?? [];

/** A list without the entries for which `decode` returns null. */
export const entriesIn = <T>(entry: JsonObject, name: string, decode: (entry: unknown) => T | null): readonly T[] =>
  listIn(entry, name).flatMap(
    (item, index) =>
      at(
        () => `${name}[${index}]`,
        () => decode(item),
      ) ?? [],
  );

/** A list of texts. */
export const textsIn = (entry: JsonObject, name: string): readonly string[] =>
  member(entry, name, (value) => (isTextList(value) ? value : null)) ?? [];

// The others read members leniently: null for a member that is missing or of another type. They are for answers that
// have an outcome or an error whatever they look like. These are plain functions, since a list of a hundred articles has
// a thousand members.

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
export function languageOf(entry: JsonObject, requested: VersionLanguage): string {
  const code = idIn(entry, 'language_code');
  return code !== null && isSameId(code, requested.languageCode) ? code : requested.languageCode;
}

/** The date that means no value: see docs/service.md, "IDs and times". */
const NO_DATE = '0001-01-01';

/** The time that means no value, for members that are never null. */
export const NO_TIME = `${NO_DATE}T00:00:00`;

const TIME_FORMAT = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?<zone>Z|[+-]\d\d:?\d\d)?)?$/u;

/** The time; a time without a zone is UTC: see docs/contract.md, "Times". */
export function lenientTime(value: unknown): Date | null {
  const parts = typeof value !== 'string' || value.startsWith(NO_DATE) ? null : TIME_FORMAT.exec(value);
  if (parts === null) return null;
  const date = new Date(parts.groups?.['zone'] ? `${value}` : `${value}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** True for a list that has only texts. */
const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

/** A list; empty for anything else. */
export const lenientArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object. */
export const lenientObject = (value: unknown): JsonObject | null => (isObject(value) ? value : null);
