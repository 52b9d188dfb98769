import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { z } from 'zod';
import { readBoundedFile } from '../base/bounded-file.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { MAX_FILE_BYTES } from './document.ts';
import { type KnowledgeBase, knowledgeBaseDocument } from './format.ts';
import { lineOf } from './json-position.ts';
import { referenceProblems } from './references.ts';

/** The most problems that a message lists; the rest is counted. */
const MAX_PROBLEMS = 20;

/**
 * Reads a knowledge base from JSON, or from JSON in gzip: see docs/contract.md, "Import format". The error is a
 * message for people, with one problem per line: its path, and the line of the file, the ID of the entry and the value.
 */
export async function readKnowledgeBaseFile(path: string): Promise<Result<KnowledgeBase, string>> {
  const text = await readFileText(path);
  if (!text.ok) return text;
  const document = parseDocument(text.value);
  return document.ok ? parseKnowledgeBase(document.value, text.value) : document;
}

const unpack = promisify(gunzip);

async function readFileText(path: string): Promise<Result<string, string>> {
  const read = readBoundedFile(path, { maxBytes: MAX_FILE_BYTES });
  if (!read.ok) return err(`the file ${read.error}`);
  const bytes = read.value;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const unpacked = isGzip ? await unpack(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes;
    if (unpacked.length > MAX_FILE_BYTES) return err(TOO_LARGE);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(unpacked));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof TypeError) return err('the file is not UTF-8');
    return err(error instanceof RangeError ? TOO_LARGE : 'the file is damaged: it cannot be unpacked');
  }
}

const TOO_LARGE = `the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;

/** Leaves out the parser's own message, which quotes the document. */
function parseDocument(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const [, position = ''] = /\((line \d+ column \d+)\)/u.exec(error instanceof Error ? error.message : '') ?? [];
    return err(`the file is not JSON${position && ` (${position})`}`);
  }
}

function parseKnowledgeBase(document: unknown, text: string): Result<KnowledgeBase, string> {
  if (!isObject(document)) return err('must be a JSON object');
  const checked = checkDocument(document);
  if (checked.ok) return checked;
  const lineOfProblem = ([keys, message]: Problem) =>
    keys.length === 0
      ? message
      : `${formatPath(keys)}: ${message} (${[`line ${lineOf(text, keys)}`, ...placeOf(keys, document)].join(', ')})`;
  return err(listProblems(checked.error, lineOfProblem));
}

/** Checks a document of the import format: its members, and then the references in it. */
export function checkDocument(document: JsonObject): Result<KnowledgeBase, readonly Problem[]> {
  const parsed = parseEntries(document);
  if (parsed === null) return err([[[], 'an entry has more than 100,000 problems']]);
  if (!parsed.success) return err(parsed.error.issues.flatMap(locateProblems));
  const problems = [...referenceProblems(parsed.data)].map(([path, message]): Problem => [keysOf(path), message]);
  return problems.length === 0 ? ok(parsed.data) : err(problems);
}

/** The lists whose members are IDs. */
const ID_LISTS: ReadonlySet<unknown> = new Set(['associated_readers', 'associated_invited_sso_users']);

/**
 * What an import would take of a document: without the entries and the members of groups that have problems. The second
 * value has a line for each of these. Throws with a message for people where the document is no list of entries at all.
 */
export function withoutProblems(document: JsonObject): readonly [base: KnowledgeBase, leftOut: readonly string[]] {
  const leftOut: string[] = [];
  // Each turn takes something away. What referred to it is found in the next one.
  for (let left = document; ; ) {
    const checked = checkDocument(left);
    if (checked.ok) return [checked.value, leftOut];
    const wrong = new Set<string>();
    for (const [keys, message] of checked.error) {
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

/** Null where zod cannot gather the problems of one entry. */
function parseEntries(document: JsonObject) {
  try {
    return knowledgeBaseDocument.safeParse(document);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A problem of a document, with the keys that lead to its place. */
export type Problem = readonly [keys: readonly PropertyKey[], message: string];

const locateProblems = ({ path, message, ...issue }: z.core.$ZodIssue): readonly Problem[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [[...path, key], message]) : [[path, message]];

/** The keys of a path of members that the format names. */
const keysOf = (path: string): readonly PropertyKey[] =>
  (path.match(/[^.[\]]+/gu) ?? []).map((key) => (/^\d+$/u.test(key) ? Number(key) : key));

/** The most characters of a path in a message. Only the name of an unknown member can be so long. */
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

/** The members that are the IDs of entries. */
const ID_MEMBERS = ['id', 'user_id', 'reader_id', 'invitation_id', 'reader_group_id', 'code'];

/** The most characters of an ID or a value in a message. */
const MAX_SHOWN_LENGTH = 60;

function memberOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[String(key)] : undefined;
}

/** The ID of the entry and the value, unless it is missing, an object or a list. */
function placeOf(keys: readonly PropertyKey[], document: JsonObject): readonly string[] {
  let value: unknown = document;
  let id: unknown;
  for (const key of keys) {
    value = memberOf(value, key);
    const members = value;
    if (isObject(members)) id = ID_MEMBERS.map((name) => members[name]).find((one) => typeof one === 'string') ?? id;
  }
  const shownId = id === undefined ? [] : [`ID ${shownJson(id)}`];
  return [...shownId, ...shownValue(value)];
}

/** The value as a part of a message; nothing where it is missing, an object or a list. */
export const shownValue = (value: unknown): readonly string[] =>
  value === undefined || (typeof value === 'object' && value !== null) ? [] : [`value ${shownJson(value)}`];

function shownJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH)}…` : json;
}
