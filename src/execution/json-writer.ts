import { Buffer } from 'node:buffer';
import { isObject } from '../base/json/json-objects.ts';
import type { OperationTask } from './executor/execution-context.ts';

/** Characters of a buffer, and values and characters written between two checks for a yield. */
const PIECE_LENGTH = 64 * 1024;
const VALUES_PER_STEP = 5_000;
const CHARACTERS_PER_STEP = 256 * 1024;

/** A unit of the task is the time of one executed field, about 1 µs: it suffices for so many values or characters. */
const VALUES_PER_UNIT = 4;
const CHARACTERS_PER_UNIT = 256;

/** A list or an object that is being written. */
interface OpenContainer {
  readonly names: readonly string[] | null;
  readonly values: readonly unknown[];
  next: number;
}

/**
 * Writes the same JSON as `JSON.stringify`, in UTF-8, and yields to other requests meanwhile: for a large response
 * `JSON.stringify` blocks the event loop for up to a second.
 */
export async function writeJsonInSteps(value: unknown, task: OperationTask): Promise<Buffer<ArrayBuffer>> {
  const writer = new JsonWriter();
  writer.write(value);
  do {
    // Yields before the first step too, since an older operation may still need its response written.
    await task.yieldToOthers();
  } while (!writer.writeUntilYield(task));
  return writer.bytes();
}

class JsonWriter {
  readonly #pieces: Buffer[] = [];
  readonly #open: OpenContainer[] = [];
  /** The unwritten rest of a long text. */
  #rest = '';
  #text = '';
  #values = 0;
  #written = 0;

  /** Writes until the task should yield. True when everything is written. */
  writeUntilYield(task: OperationTask): boolean {
    do {
      if (this.#writeSome()) return true;
      task.charge(this.#values / VALUES_PER_UNIT + this.#written / CHARACTERS_PER_UNIT);
    } while (!task.shouldYield);
    return false;
  }

  /** True when everything is written. */
  #writeSome(): boolean {
    this.#values = 0;
    this.#written = 0;
    while (this.#values < VALUES_PER_STEP && this.#written < CHARACTERS_PER_STEP) {
      if (this.#rest !== '') this.#writeRest();
      else if (!this.#writeNext()) return true;
      if (this.#text.length >= PIECE_LENGTH) this.#flush();
    }
    return false;
  }

  bytes(): Buffer<ArrayBuffer> {
    this.#flush();
    return Buffer.concat(this.#pieces);
  }

  /** Writes a leaf value, or opens a list or an object. */
  write(input: unknown): void {
    const value = isObject(input) && typeof input['toJSON'] === 'function' ? input['toJSON']() : input;
    this.#values += 1;
    if (typeof value === 'string') this.#beginText(value);
    else if (Array.isArray(value)) this.#begin('[', { names: null, values: value, next: 0 });
    else if (isObject(value)) {
      const names = Object.keys(value).filter((name) => value[name] !== undefined);
      this.#begin('{', { names, values: names.map((name) => value[name]), next: 0 });
    } else this.#text += JSON.stringify(value) ?? 'null';
  }

  #begin(bracket: string, open: OpenContainer): void {
    this.#text += bracket;
    this.#open.push(open);
  }

  /** False when nothing is left. */
  #writeNext(): boolean {
    const open = this.#open.at(-1);
    if (!open) return false;
    const { names, values, next } = open;
    if (next === values.length) {
      this.#text += names ? '}' : ']';
      this.#open.pop();
      return true;
    }
    if (next > 0) this.#text += ',';
    if (names) this.#text += `${JSON.stringify(names[next])}:`;
    open.next += 1;
    this.write(values[next]);
    return true;
  }

  #beginText(text: string): void {
    if (text.length <= PIECE_LENGTH) {
      this.#text += JSON.stringify(text);
      return;
    }
    this.#text += '"';
    this.#rest = text;
  }

  #writeRest(): void {
    // The halves of a split surrogate pair would be written as escapes.
    const isSplit = /[\ud800-\udbff]/u.test(this.#rest.charAt(PIECE_LENGTH - 1));
    const end = isSplit ? PIECE_LENGTH - 1 : PIECE_LENGTH;
    this.#text += JSON.stringify(this.#rest.slice(0, end)).slice(1, -1);
    this.#rest = this.#rest.slice(end);
    if (this.#rest === '') this.#text += '"';
  }

  #flush(): void {
    this.#written += this.#text.length;
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
