import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { err, ok, type Result } from '../domain/result.ts';
import type { Problem } from './duplicate-ids.ts';
import type { KnowledgeBase } from './knowledge-base.ts';
import { referenceProblems } from './references.ts';
import { readKnowledgeBase } from './shape.ts';

/** A file that is larger once unpacked is refused, in bytes: all of it is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** So many problems are named; the rest is counted. */
const MAX_PROBLEMS = 20;

/**
 * Reads a knowledge base in the import format (contract, section 6), as JSON or as JSON in gzip. The error is for people:
 * it names every place where something is wrong, one a line, and quotes no content.
 */
export async function readKnowledgeBaseFile(path: string): Promise<Result<KnowledgeBase, string>> {
  const text = await readText(path);
  if (!text.ok) return text;
  const document = parseJson(text.value);
  return document.ok ? parseKnowledgeBase(document.value) : document;
}

const unpack = promisify(gunzip);

async function readText(path: string): Promise<Result<string, string>> {
  const read = await readBytes(path);
  if (!read.ok) return read;
  const bytes = read.value;
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const unpacked = isPacked ? await unpack(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
    if (unpacked.length > MAX_BYTES) return err(TOO_LARGE);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(unpacked));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof TypeError) return err('the file is not UTF-8');
    return err(error instanceof RangeError ? TOO_LARGE : 'the file is damaged: it cannot be unpacked');
  }
}

async function readBytes(path: string): Promise<Result<Buffer, string>> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? err(TOO_LARGE) : ok(await readFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return err(`the file cannot be read (${error.code})`);
  }
}

const TOO_LARGE = `the file is larger than ${MAX_BYTES / 1024 / 1024} MiB`;

/** The parser's own message is not passed on, since it quotes the document. */
function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const [, place = ''] = /\((line \d+ column \d+)\)/u.exec(error instanceof Error ? error.message : '') ?? [];
    return err(`the file is not JSON${place && ` (${place})`}`);
  }
}

/** Holds a document against the format, and the knowledge base in it against itself. */
export function parseKnowledgeBase(document: unknown): Result<KnowledgeBase, string> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return err('must be a JSON object');
  const problems: Problem[] = [];
  const base = readKnowledgeBase({
    path: '',
    value: document,
    report: (path, problem) => problems.push([path, problem]),
  });
  // Places are told by position, and an entry that can't be read has none.
  if (problems.length === 0) for (const problem of referenceProblems(base)) problems.push(problem);
  return problems.length === 0 ? ok(base) : err(describe(problems));
}

function describe(problems: readonly Problem[]): string {
  const named = problems.slice(0, MAX_PROBLEMS).map(([path, problem]) => `${path}: ${problem}`);
  const rest = problems.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
