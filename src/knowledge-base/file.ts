import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { z } from 'zod';
import { readBoundedFile } from '../base/bounded-file.ts';
import { isObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { MAX_FILE_BYTES } from './document.ts';
import { type KnowledgeBase, knowledgeBaseDocument } from './format.ts';
import { type ImportProblem, referenceProblems } from './references.ts';

/** The most problems that a message lists; the rest is counted. */
const MAX_PROBLEMS = 20;

/**
 * Reads a knowledge base from JSON, or from JSON in gzip: see docs/contract.md, "Import format". The error is a
 * message for people, with one problem and its path per line. It quotes no content.
 */
export async function readKnowledgeBaseFile(path: string): Promise<Result<KnowledgeBase, string>> {
  const text = await readFileText(path);
  if (!text.ok) return text;
  const document = parseDocument(text.value);
  return document.ok ? parseKnowledgeBase(document.value) : document;
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

function parseKnowledgeBase(document: unknown): Result<KnowledgeBase, string> {
  if (!isObject(document)) return err('must be a JSON object');
  const parsed = parseEntries(document);
  if (parsed === null) return err('an entry has more than 100,000 problems');
  if (!parsed.success) return err(formatProblems(parsed.error.issues.flatMap(locateProblems)));
  const problems = [...referenceProblems(parsed.data)];
  return problems.length === 0 ? ok(parsed.data) : err(formatProblems(problems));
}

/** Null where zod cannot gather the problems of one entry. */
function parseEntries(document: unknown) {
  try {
    return knowledgeBaseDocument.safeParse(document);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const locateProblems = ({ path, message, ...issue }: z.core.$ZodIssue): readonly ImportProblem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => [formatPath([...path, key]), message])
    : [[formatPath(path), message]];

/** The most characters of a path in a message. Only the name of an unknown member can be so long. */
const MAX_PATH_LENGTH = 200;

/** Paths have the form `articles[3].versions[0].title`. */
function formatPath(keys: readonly PropertyKey[]): string {
  const path = keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

function formatProblems(problems: readonly ImportProblem[]): string {
  const lines = problems.slice(0, MAX_PROBLEMS).map((problem) => toPrintable(problem.join(': ')));
  const rest = problems.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
