import { MAX_ID_LENGTH, MAX_STORED_DESCRIPTION, MAX_STORED_TITLE } from './limits.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without a leading byte order mark; null for other bytes. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return null;
  }
}

/** The reason why a text can't be stored, or null: half a surrogate pair has no UTF-8, and PostgreSQL rejects U+0000. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  if (!text.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return null;
}

/** A key that is equal for equal IDs. Whether the service ignores their case is unknown, and answers may change it. */
export function idKeyOf(id: string): string {
  const key = id.toLowerCase();
  // V8 keeps the hash of a string with it, and computes that of the new one again in each map.
  return key === id ? id : key;
}

/** True for the same ID, as `idKeyOf` compares them. A missing ID equals no other. */
export const isSameId = (one: string | null | undefined, other: string | null | undefined): boolean =>
  one != null && other != null && idKeyOf(one) === idKeyOf(other);

/** A form that is equal for texts that may be stored as the same: trimmed, with other line ends or Unicode forms. */
export const storedFormOf = (text: string): string => text.replace(/\r\n?/gu, '\n').normalize('NFC').trim();

/** Cuts a foreign text to what people read of a value in a message. */
export const shorten = (text: string, maxLength = MAX_SHOWN_LENGTH): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;

const MAX_SHOWN_LENGTH = 100;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
]);

/** The text without the character references of HTML, of which unknown ones stay. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>\w{1,8}));/giu, (entity, ...rest) => {
    const { decimal, hex, name } = rest.at(-1);
    if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10_ffff ? String.fromCodePoint(point).toWellFormed() : entity;
  });

/** 1,000 for 1000. `toLocaleString` would take a twentieth of a start to load its languages. */
export const withThousands = (count: number): string => `${count}`.replace(/\B(?=(?:\d{3})+$)/gu, ',');

/** Compares texts by their code points, as the databases of the store do. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The problem of storing a title or description, which lists of the store read whole; null where there is none. */
export function storedTextProblem(kind: 'title' | 'description', text: string): string | null {
  const max = kind === 'title' ? MAX_STORED_TITLE : MAX_STORED_DESCRIPTION;
  return text.length > max ? `must have at most ${max} characters` : null;
}

/**
 * The problem of an ID; null where there is none: see docs/service.md, "IDs and times". Every ID may become a part of a
 * path. It is encoded there, but proxies and servers decode slashes, and then resolve two dots between them as the
 * parent folder.
 */
export function idProblem(id: string): string | null {
  if (id === '') return 'must not be empty';
  if (id.length > MAX_ID_LENGTH) return `must have at most ${MAX_ID_LENGTH} characters`;
  return DOT_SEGMENT.test(id) ? 'must have no part "." or ".." between slashes' : textProblem(id);
}

/** One or two dots between slashes or the ends of an ID, also where they are encoded, even several times. */
const DOT_SEGMENT = /(?:^|[/\\]|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:$|[/\\]|%(?:25)*(?:2f|5c))/iu;

/** True where all percent-encodings of a text can be decoded. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
