import { createReadStream, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { openRegularFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, isObject, type JsonObject } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { MAX_FILE_BYTES } from './document.ts';
import { DocumentError, type DocumentHandler, type DocumentPart, DocumentSplitter } from './document-splitter.ts';
import { ENTRIES, type KnowledgeBase, knowledgeBaseDocument, moreProblemsOf } from './format.ts';
import { referenceProblems } from './references.ts';

/** The most problems that a message lists. The rest is counted. */
const MAX_PROBLEMS = 20;

/**
 * Reads a knowledge base from JSON, or from JSON in gzip: see docs/contract.md, "Import format". The error is a
 * message for people, with one problem per line: its path, and the line of the file, the ID of the entry and the value.
 */
export async function readKnowledgeBaseFile(path: string): Promise<Result<KnowledgeBase, string>> {
  const reader = new DocumentReader();
  const split = await splitFile(path, reader);
  if (!split.ok) return split;
  const { base, problems } = reader;
  const found = problems.count > 0 ? problems : reader.referenceProblems();
  return found.count > 0 ? err(found.text()) : ok(base);
}

/** Splits a file while it is read, so that only one of its entries is in memory. */
async function splitFile(path: string, handler: DocumentHandler): Promise<Result<void, string>> {
  const opened = openRegularFile(path);
  if (!opened.ok) return err(`the file ${opened.error}`);
  const fd = opened.value;
  const splitter = new DocumentSplitter(handler);
  let length = 0;
  const push = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > MAX_FILE_BYTES) throw new DocumentError(TOO_LARGE);
      splitter.push(chunk);
    }
    splitter.end();
  };
  try {
    const magic = Buffer.alloc(2);
    readSync(fd, magic, 0, magic.length, 0);
    const bytes = createReadStream(path, { fd, start: 0 });
    await (magic[0] === 0x1f && magic[1] === 0x8b ? pipeline(bytes, createGunzip(), push) : pipeline(bytes, push));
    return ok(undefined);
  } catch (error) {
    if (error instanceof DocumentError) return err(error.message);
    if (error instanceof Error && 'code' in error) return err('the file is damaged: it cannot be unpacked');
    throw error;
  }
}

const TOO_LARGE = `the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;

/** The most problems that are counted. A document can have one for each of its bytes, and each takes time. */
const MAX_COUNTED_PROBLEMS = 10_000;

/** The first problems of a document as lines for people, and the number of all. */
class ProblemList {
  count = 0;
  readonly #maxCounted: number;
  readonly #lines: string[] = [];

  constructor(maxCounted: number) {
    this.#maxCounted = maxCounted;
  }

  add(line: () => string, count = 1): void {
    if (this.#lines.length < MAX_PROBLEMS) this.#lines.push(toPrintable(line()));
    this.count += count;
    if (this.count <= this.#maxCounted) return;
    this.count = Number.POSITIVE_INFINITY;
    throw new DocumentError(this.text());
  }

  text(): string {
    const rest = this.count - this.#lines.length;
    const more = Number.isFinite(rest) ? rest : 'many';
    return [...this.#lines, ...(rest > 0 ? [`and ${more} more`] : [])].join('\n');
  }
}

/** The bounds of one entry: values in lists, and values of all kinds. */
const ENTRY_BOUNDS = { maxValues: 1_000_000, maxListItems: 1_000_000 };

/** The bytes of a checked entry, and of each of its values, besides their characters (measured). */
const BYTES_PER_ENTRY = 100;
const BYTES_PER_VALUE = 40;

/** The bytes that all entries may take in addition to those of their file, and the factor for each of these. */
const FREE_BYTES = 48 * 1024 ** 2;
const BYTES_PER_BYTE = 2.2;

interface ParsedPart extends Pick<DocumentPart, 'member' | 'index' | 'line'> {
  readonly value: unknown;
  /** An upper bound of the bytes of its values. */
  readonly cost: number;
}

function parsePart({ text, length, ...part }: DocumentPart): ParsedPart {
  const counted = countJsonValues(text, ENTRY_BOUNDS);
  if (!counted.ok) throw new DocumentError(`${placeOfPart(part)}: ${counted.error} (line ${part.line})`);
  const characters = text.length === length ? text.length : 2 * text.length;
  const cost = BYTES_PER_ENTRY + characters + BYTES_PER_VALUE * counted.value;
  return { ...part, value: parseText(text, part.line), cost };
}

/** Parses a text. The parser's own message is left out, since it quotes the document. */
function parseText(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, position = '0'] = / at position (\d+)/u.exec(error instanceof Error ? error.message : '') ?? [];
    const before = text.slice(0, Number(position)).match(/\n/gu)?.length ?? 0;
    throw new DocumentError(`the file is not JSON (line ${line + before})`);
  }
}

const placeOfPart = ({ member, index }: Pick<DocumentPart, 'member' | 'index'>): string =>
  formatPath(index === null ? [member] : [member, index]);

/** A problem as a line for people, with the line on which the part begins. The keys lead from the part to the problem. */
function problemLine({ value, line, ...part }: ParsedPart, keys: readonly PropertyKey[], message: string): string {
  const path = formatPath([part.member, ...(part.index === null ? [] : [part.index]), ...keys]);
  return `${path}: ${message} (${[`line ${line}`, ...placeOf(keys, value)].join(', ')})`;
}

type List = keyof typeof ENTRIES;

const isList = (name: string): name is List => Object.hasOwn(ENTRIES, name);

/** Gathers the valid entries of a list, and their lines. */
function collect<T extends z.ZodType>(entry: T) {
  const entries: z.output<T>[] = [];
  const lines: number[] = [];
  const add = ({ value, line }: ParsedPart): readonly z.core.$ZodIssue[] => {
    const parsed = entry.safeParse(value);
    if (parsed.success) {
      entries.push(parsed.data);
      lines.push(line);
    }
    return parsed.error?.issues ?? [];
  };
  return { entries, lines, add };
}

class DocumentReader implements DocumentHandler {
  readonly problems = new ProblemList(MAX_COUNTED_PROBLEMS);
  readonly #members = new Set<string>();
  readonly #lists = {
    project_versions: collect(ENTRIES.project_versions),
    languages: collect(ENTRIES.languages),
    categories: collect(ENTRIES.categories),
    team_accounts: collect(ENTRIES.team_accounts),
    articles: collect(ENTRIES.articles),
    readers: collect(ENTRIES.readers),
    invited_sso_users: collect(ENTRIES.invited_sso_users),
    reader_groups: collect(ENTRIES.reader_groups),
  } satisfies Record<List, unknown>;
  #source: KnowledgeBase['source'];
  #bytes = 0;
  #cost = 0;

  get base(): KnowledgeBase {
    const lists = this.#lists;
    return {
      source: this.#source,
      project_versions: lists.project_versions.entries,
      languages: lists.languages.entries,
      categories: lists.categories.entries,
      team_accounts: lists.team_accounts.entries,
      articles: lists.articles.entries,
      readers: lists.readers.entries,
      invited_sso_users: lists.invited_sso_users.entries,
      reader_groups: lists.reader_groups.entries,
    };
  }

  /** The problems of references in a file that has no others. */
  referenceProblems(): ProblemList {
    const problems = new ProblemList(Number.POSITIVE_INFINITY);
    const { base } = this;
    const lines = new Map(Object.entries(this.#lists).map(([name, list]) => [name, list.lines]));
    for (const [path, message] of referenceProblems(base))
      problems.add(() => {
        const keys = keysOf(path);
        const line = lines.get(String(keys[0]))?.[Number(keys[1])] ?? 1;
        return `${formatPath(keys)}: ${message} (${[`line ${line}`, ...placeOf(keys, base)].join(', ')})`;
      });
    return problems;
  }

  onMember(name: string, line: number): void {
    if (!isList(name) && name !== 'source')
      this.problems.add(() => `${formatPath([name])}: ${NOT_KNOWN} (line ${line})`);
    else if (this.#members.has(name)) throw new DocumentError(`${name}: occurs twice (line ${line})`);
    else this.#members.add(name);
  }

  onPart(part: DocumentPart): void {
    this.#bytes += part.length;
    const parsed = parsePart(part);
    const { member, index, value, cost } = parsed;
    // A document that is no object is one part without a name.
    if (!this.#members.has(member) && member === '' && index === null) throw new DocumentError('must be a JSON object');
    const issues = this.#check(parsed);
    if (issues.length === 0) this.#charge(parsed, cost);
    for (const issue of issues)
      for (const [keys, message, count] of locateProblems(issue))
        this.problems.add(() => problemLine(parsed, keys, message), count);
    if (member === 'source' && issues.length === 0) this.#source = typeof value === 'string' ? value : null;
  }

  #check(part: ParsedPart): readonly z.core.$ZodIssue[] {
    const { member, index, value } = part;
    if (isList(member) && index !== null) return this.#lists[member].add(part);
    if (!isList(member) && member !== 'source') return [];
    // A list instead of the source is reported for each of its items.
    const given = index === null ? value : [];
    const issues = knowledgeBaseDocument.safeParse({ [member]: given }).error?.issues ?? [];
    return issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  }

  /** The memory of a file stays proportional to its size. */
  #charge({ line, ...part }: ParsedPart, cost: number): void {
    this.#cost += cost;
    if (this.#cost > FREE_BYTES + BYTES_PER_BYTE * this.#bytes)
      throw new DocumentError(`${placeOfPart(part)}: the file has too many values for its size (line ${line})`);
  }
}

const NOT_KNOWN = `is not known here: the members are ${Object.keys(knowledgeBaseDocument.shape).join(', ')}`;

/** Checks a document of the import format: its members, and then the references in it. */
function checkDocument(document: JsonObject): Result<KnowledgeBase, readonly Problem[]> {
  const parsed = parseEntries(document);
  if (parsed === null) return err([[[], 'an entry has more than 100,000 problems']]);
  if (!parsed.success) return err(parsed.error.issues.flatMap(locateProblems));
  const problems = [...referenceProblems(parsed.data)].map(([path, message]): Problem => [keysOf(path), message]);
  return problems.length === 0 ? ok(parsed.data) : err(problems);
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

/** The entries; null where zod can't gather the problems of one entry. */
function parseEntries(document: JsonObject) {
  try {
    return knowledgeBaseDocument.safeParse(document);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
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

/** A checked group has the name of the domain. */
const ID_MEMBERS = ['id', 'user_id', 'reader_id', 'invitation_id', 'reader_group_id', 'groupId', 'code'];

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
