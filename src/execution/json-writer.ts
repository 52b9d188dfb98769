import { Buffer } from 'node:buffer';
import { isObject, type JsonObject } from '../base/json.ts';
import { jsonSizeOf } from '../schema/response-budget.ts';
import type { OperationTask } from './executor/execution-context.ts';

/** What `JSON.stringify` writes at once, in characters and values: it takes less than a millisecond. */
const PIECE_LENGTH = 64 * 1024;
const PIECE_VALUES = 5_000;

/** A unit of the task is the time of one executed field, about 1 µs: it suffices for so many characters. */
const CHARACTERS_PER_UNIT = 256;

/**
 * Writes the same JSON as `JSON.stringify`, in UTF-8, and yields to other requests meanwhile: for a large response
 * `JSON.stringify` blocks the event loop for up to a second.
 */
export async function writeJsonInSteps(value: unknown, task: OperationTask): Promise<Buffer<ArrayBuffer>> {
  const buffers: Buffer[] = [];
  let text = '';
  // Yields before the first step too, since an older operation may still need its response written.
  await task.yieldToOthers();
  for (const part of jsonPartsOf(value)) {
    text += part;
    if (text.length < PIECE_LENGTH) continue;
    buffers.push(Buffer.from(text));
    task.charge(text.length / CHARACTERS_PER_UNIT);
    text = '';
    if (task.shouldYield) await task.yieldToOthers();
  }
  return Buffer.concat([...buffers, Buffer.from(text)]);
}

/** The JSON of a value, in parts of at most about the length of a piece. */
function* jsonPartsOf(input: unknown): Iterable<string> {
  const value = isObject(input) && typeof input['toJSON'] === 'function' ? input['toJSON']() : input;
  const size = jsonSizeOf(value, PIECE_VALUES);
  if (size.fields <= PIECE_VALUES && size.text <= PIECE_LENGTH) yield JSON.stringify(value) ?? 'null';
  else if (typeof value === 'string') yield* textPartsOf(value);
  else if (Array.isArray(value)) yield* listPartsOf(value);
  else if (isObject(value)) yield* memberPartsOf(value);
}

function* listPartsOf(items: readonly unknown[]): Iterable<string> {
  yield '[';
  let separator = '';
  for (const item of items) {
    yield separator;
    yield* jsonPartsOf(item);
    separator = ',';
  }
  yield ']';
}

function* memberPartsOf(value: JsonObject): Iterable<string> {
  yield '{';
  let separator = '';
  for (const name of Object.keys(value)) {
    if (value[name] === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* jsonPartsOf(value[name]);
    separator = ',';
  }
  yield '}';
}

function* textPartsOf(text: string): Iterable<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    // The halves of a split surrogate pair would be written as escapes.
    const isSplit = /[\ud800-\udbff]/u.test(text.charAt(end - 1));
    const part = text.slice(start, isSplit ? end - 1 : end);
    yield JSON.stringify(part).slice(1, -1);
    start += part.length;
  }
  yield '"';
}
