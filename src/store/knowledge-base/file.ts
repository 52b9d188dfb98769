import { closeSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { openRegularFile, readOpenFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, endOfString, isObject, type JsonObject } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { decodeText } from '../../core/base/text.ts';
import { MAX_FILE_BYTES } from './document.ts';
import { ENTRIES, type KnowledgeBase, knowledgeBaseDocument, moreProblemsOf } from './format.ts';
import { referenceProblems } from './references.ts';

/** The most problems that a message lists. The rest is counted. */
const MAX_PROBLEMS = 20;

/** The most problems that are counted. A document can have one for each of its bytes, and each takes time. */
const MAX_COUNTED_PROBLEMS = 10_000;

/**
 * Reads a knowledge base from JSON, or from JSON in gzip: see docs/contract.md, "Import format". The error is a
 * message for people, with one problem per line: its path, and the line of the file, the ID of the entry and the value.
 */
export function readKnowledgeBaseFile(path: string): Result<KnowledgeBase, string> {
  const text = readText(path);
  if (!text.ok) return text;
  const document = parseDocument(text.value);
  if (!document.ok) return document;
  const twice = memberTwice(text.value);
  if (twice !== null) return err(twice);
  const checked = checkDocument(document.value);
  return checked.ok ? checked : err(messageOf(checked.error, document.value, text.value));
}

function readText(path: string): Result<string, string> {
  const file = openRegularFile(path);
  if (!file.ok) return err(`the file ${file.error}`);
  try {
    const read = readOpenFile(file.value, { maxBytes: MAX_FILE_BYTES });
    if (!read.ok) return err(`the file ${read.error}`);
    const [first, second] = read.value;
    const isZipped = first === 0x1f && second === 0x8b;
    const text = decodeText(isZipped ? gunzipSync(read.value, { maxOutputLength: MAX_FILE_BYTES }) : read.value);
    return text === null ? err('the file is not UTF-8') : ok(text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err(error.code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : 'the file is damaged: it cannot be unpacked');
  } finally {
    closeSync(file.value);
  }
}

const TOO_LARGE = `the file is larger than ${MAX_FILE_BYTES / 1024 ** 2} MiB`;

/** The values that any file may have, and the characters for each further one: each takes memory beside its text. */
const FREE_VALUES = 500_000;
const CHARACTERS_PER_VALUE = 16;

function parseDocument(text: string): Result<JsonObject, string> {
  const maxValues = FREE_VALUES + Math.ceil(text.length / CHARACTERS_PER_VALUE);
  const counted = countJsonValues(text, { maxValues, maxListItems: maxValues });
  if (!counted.ok) return err(`the file ${counted.error}`);
  try {
    const document: unknown = JSON.parse(text);
    return isObject(document) ? ok(document) : err('must be a JSON object');
  } catch (error) {
    // The parser quotes the characters around the mistake.
    return err(`the file is not JSON: ${toPrintable(error instanceof Error ? error.message : '')}`);
  }
}

interface DocumentPlace {
  readonly member: string;
  /** The position of an item in its list; null for the member itself. */
  readonly index: number | null;
  readonly line: number;
}

/** Says after which character, at which depth, the name of a member or an item of a list begins. */
const NEXT: Readonly<Record<string, 'name' | 'item'>> = { '0{': 'name', '1,': 'name', '1[': 'item', '2,': 'item' };

/** Yields the place of each member of a JSON object, and of each item of a list that is a member. */
function* placesIn(text: string): Generator<DocumentPlace> {
  let member = '';
  let index = 0;
  let expected: 'name' | 'item' | null = null;
  for (const { character, at, depth, line } of tokensIn(text)) {
    const next = NEXT[`${depth}${character}`];
    if (next !== undefined) {
      index = character === ',' ? index + 1 : 0;
      expected = next;
    } else if (expected !== null && character !== ']' && character !== '}') {
      if (expected === 'name') member = JSON.parse(text.slice(at, endOfString(text, at + 1) + 1));
      yield { member, index: expected === 'name' ? null : index, line };
      expected = null;
    }
  }
}

/** The characters of a JSON text that begin or separate its outermost values, with their depths. */
function* tokensIn(text: string) {
  let [depth, line] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '}' || character === ']') depth -= 1;
    if (depth < 3 && character.trim() !== '') yield { character, at, depth, line };
    if (character === '{' || character === '[') depth += 1;
    if (character === '\n') line += 1;
    // A string has no line feeds.
    if (character === '"') at = endOfString(text, at + 1);
  }
}

/** The problem of a member that occurs twice, of which the parser would take the last without a word; null without one. */
function memberTwice(text: string): string | null {
  const members = new Set<string>();
  for (const { member, index, line } of placesIn(text)) {
    if (index === null && members.size === members.add(member).size) return `${member}: occurs twice (line ${line})`;
  }
  return null;
}

/** The first problems, each in its line, and the number of the others. */
function messageOf({ found, count }: Problems, document: JsonObject, text: string): string {
  const shown = found.slice(0, MAX_PROBLEMS);
  const partOf = ([first, second]: readonly PropertyKey[]) =>
    formatPath(typeof second === 'number' ? [first ?? '', second] : [first ?? '']);
  const wanted = new Set(shown.map(([keys]) => partOf(keys)));
  const lines = new Map<string, number>();
  for (const { member, index, line } of placesIn(text)) {
    if (lines.size === wanted.size) break;
    const part = formatPath(index === null ? [member] : [member, index]);
    if (wanted.has(part)) lines.set(part, line);
  }
  const described = shown.map(([keys, message]) => {
    const place = [`line ${lines.get(partOf(keys)) ?? 1}`, ...placeOf(keys, document)];
    return toPrintable(`${formatPath(keys)}: ${message} (${place.join(', ')})`);
  });
  const rest = count - shown.length;
  return [...described, ...(rest > 0 ? [`and ${Number.isFinite(rest) ? rest : 'many'} more`] : [])].join('\n');
}

interface Problems {
  readonly found: readonly Problem[];
  /** Infinite where they were not counted to the end. */
  readonly count: number;
}

/** Checks a document of the import format: its members and entries, and then the references in it. */
function checkDocument(document: JsonObject): Result<KnowledgeBase, Problems> {
  const found: Problem[] = [];
  let count = 0;
  const add = (issues: readonly z.core.$ZodIssue[] = [], place: readonly PropertyKey[] = []) => {
    for (const [keys, message, represented = 1] of issues.flatMap(locateProblems)) {
      found.push([[...place, ...keys], message]);
      count += represented;
    }
  };
  /** The entries of a list, each checked by itself: zod would gather the problems of all. */
  const entriesOf = <T extends z.ZodType>(list: keyof typeof ENTRIES, entry: T): z.output<T>[] => {
    const given = document[list];
    const entries: z.output<T>[] = [];
    for (const [index, value] of (Array.isArray(given) ? given : []).entries()) {
      if (count > MAX_COUNTED_PROBLEMS) count = Number.POSITIVE_INFINITY;
      if (count === Number.POSITIVE_INFINITY) break;
      const parsed = entry.safeParse(value);
      if (parsed.success) entries.push(parsed.data);
      else add(parsed.error.issues, [list, index]);
    }
    return entries;
  };
  const members = Object.entries(document).map(([name, value]) => [
    name,
    Object.hasOwn(ENTRIES, name) && Array.isArray(value) ? [] : value,
  ]);
  const outline = knowledgeBaseDocument.safeParse(Object.fromEntries(members));
  add(outline.error?.issues);
  const base = {
    source: outline.data?.source,
    project_versions: entriesOf('project_versions', ENTRIES.project_versions),
    languages: entriesOf('languages', ENTRIES.languages),
    categories: entriesOf('categories', ENTRIES.categories),
    team_accounts: entriesOf('team_accounts', ENTRIES.team_accounts),
    articles: entriesOf('articles', ENTRIES.articles),
    readers: entriesOf('readers', ENTRIES.readers),
    invited_sso_users: entriesOf('invited_sso_users', ENTRIES.invited_sso_users),
    reader_groups: entriesOf('reader_groups', ENTRIES.reader_groups),
  };
  if (count > 0) return err({ found, count });
  for (const [path, message] of referenceProblems(base)) {
    if (count < MAX_COUNTED_PROBLEMS) found.push([keysOf(path), message]);
    count += 1;
  }
  return count === 0 ? ok(base) : err({ found, count });
}

const ID_LISTS: ReadonlySet<unknown> = new Set(['associated_readers', 'associated_invited_sso_users']);

/**
 * The part of a document that an import would accept: without the entries and the members of groups that have problems.
 * The second value has a line for each of these. Throws with a message for people where the document is no list of
 * entries at all.
 */
export function withoutProblems(document: JsonObject): readonly [base: KnowledgeBase, leftOut: readonly string[]] {
  const leftOut: string[] = [];
  // Each pass removes entries. References to them are found in the next one.
  for (let left = document; ; ) {
    const checked = checkDocument(left);
    if (checked.ok) return [checked.value, leftOut];
    const wrong = new Set<string>();
    for (const [keys, message] of checked.error.found) {
      if (keys.length < 2) throw new Error(`Nothing was exported: ${formatPath(keys)} ${message}.`);
      wrong.add(formatPath(keys.slice(0, ID_LISTS.has(keys[2]) ? 4 : 2)));
      leftOut.push(`${formatPath(keys)}: ${message} (${placeOf(keys, left).join(', ')})`);
    }
    left = pruned(left, '', wrong);
  }
}

/** The same value without the items of lists at these paths. */
function pruned<T>(value: T, path: string, wrong: ReadonlySet<string>): T;
function pruned(value: unknown, path: string, wrong: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => [`${path}[${index}]`, item] as const);
    return items.flatMap(([place, item]) => (wrong.has(place) ? [] : [pruned(item, place, wrong)]));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    pruned(member, path === '' ? name : `${path}.${name}`, wrong),
  ]);
  return Object.fromEntries(members);
}

type Problem = readonly [keys: readonly PropertyKey[], message: string, count?: number];

const locateProblems = ({ path, message, ...issue }: z.core.$ZodIssue): readonly Problem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => [[...path, key], message])
    : [[path, message, issue.code === 'custom' ? moreProblemsOf(issue.params) : 1]];

const keysOf = (path: string): readonly PropertyKey[] =>
  (path.match(/[^.[\]]+/gu) ?? []).map((key) => (/^\d+$/u.test(key) ? Number(key) : key));

/** The most characters of a path in a message. Only the name of an unknown member can be longer. */
const MAX_PATH_LENGTH = 200;

/** Paths have the form `articles[3].versions[0].title`. */
function formatPath(keys: readonly PropertyKey[]): string {
  const path = keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

/** The first problems, each in its line, and the number of the others. */
export function listProblems<T>(problems: readonly T[], lineOfProblem: (problem: T) => string): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => toPrintable(lineOfProblem(problem)));
  const rest = problems.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

const ID_MEMBERS = ['id', 'user_id', 'reader_id', 'invitation_id', 'reader_group_id', 'code'];

/** The most characters of an ID or a value in a message. */
const MAX_SHOWN_LENGTH = 60;

function memberOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[String(key)] : undefined;
}

const idOf = (entry: unknown): unknown =>
  isObject(entry) ? ID_MEMBERS.map((name) => entry[name]).find((one) => typeof one === 'string') : undefined;

/** The ID of the entry and the value, unless that is missing, an object or a list. */
function placeOf(keys: readonly PropertyKey[], document: unknown): readonly string[] {
  let value = document;
  let id = idOf(value);
  for (const key of keys) {
    value = memberOf(value, key);
    id = idOf(value) ?? id;
  }
  const shownId = id === undefined ? [] : [`ID ${shownJson(id)}`];
  return [...shownId, ...shownValue(value)];
}

/** The value as a part of a message; empty where it is missing, an object or a list. */
const shownValue = (value: unknown): readonly string[] =>
  value === undefined || (typeof value === 'object' && value !== null) ? [] : [`value ${shownJson(value)}`];

function shownJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH)}…` : json;
}
