import { Buffer } from 'node:buffer';
import { isObject } from '../domain/articles/articles.ts';
import type { OperationTurns } from './cooperative-scheduler.ts';

/** Characters that are written in one go, and values and characters after which others are let in. */
const PIECE = 64 * 1024;
const VALUES_AT_A_TIME = 5_000;
const CHARACTERS_AT_A_TIME = 256 * 1024;

/** Against the fields that are executed: it takes a quarter of the time to write one, and a microsecond for so many characters. */
const VALUES_PER_UNIT = 4;
const CHARACTERS_PER_UNIT = 256;

/** A list or an object that is being written, and how far that is. */
interface Open {
  readonly names: readonly string[] | null;
  readonly values: readonly unknown[];
  next: number;
}

/**
 * JSON as `JSON.stringify` writes it, in UTF-8, with room for other requests in between: a large answer takes that function
 * up to a second, in which nobody else is served.
 */
export async function jsonBytes(value: unknown, turns: OperationTurns): Promise<Buffer<ArrayBuffer>> {
  const writer = new JsonWriter();
  writer.write(value);
  do {
    // Before the first piece too: what is to be written is large, and an older answer may not be complete yet.
    await turns.yielded();
  } while (!writer.goOn(turns));
  return writer.bytes();
}

class JsonWriter {
  readonly #pieces: Buffer[] = [];
  readonly #open: Open[] = [];
  /** The rest of a text that is being written. */
  #rest = '';
  #text = '';
  #values = 0;
  #written = 0;

  /** Goes on until others should be let in. True once everything is written. */
  goOn(turns: OperationTurns): boolean {
    do {
      if (this.#writeSome()) return true;
      turns.charge(this.#values / VALUES_PER_UNIT + this.#written / CHARACTERS_PER_UNIT);
    } while (!turns.isDue);
    return false;
  }

  /** True once everything is written. */
  #writeSome(): boolean {
    this.#values = 0;
    this.#written = 0;
    while (this.#values < VALUES_AT_A_TIME && this.#written < CHARACTERS_AT_A_TIME) {
      if (this.#rest !== '') this.#writeRest();
      else if (!this.#writeNext()) return true;
      if (this.#text.length >= PIECE) this.#flush();
    }
    return false;
  }

  bytes(): Buffer<ArrayBuffer> {
    this.#flush();
    return Buffer.concat(this.#pieces);
  }

  /** Writes a value without what is in it. */
  write(given: unknown): void {
    const value = isObject(given) && typeof given['toJSON'] === 'function' ? given['toJSON']() : given;
    this.#values += 1;
    if (typeof value === 'string') this.#beginText(value);
    else if (Array.isArray(value)) this.#begin('[', { names: null, values: value, next: 0 });
    else if (isObject(value)) {
      const names = Object.keys(value).filter((name) => value[name] !== undefined);
      this.#begin('{', { names, values: names.map((name) => value[name]), next: 0 });
    } else this.#text += JSON.stringify(value) ?? 'null';
  }

  #begin(bracket: string, open: Open): void {
    this.#text += bracket;
    this.#open.push(open);
  }

  /** False where nothing is left. */
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
    if (text.length <= PIECE) {
      this.#text += JSON.stringify(text);
      return;
    }
    this.#text += '"';
    this.#rest = text;
  }

  #writeRest(): void {
    // Halves of a surrogate pair, apart from each other, would be written as escapes.
    const isSplit = /[\ud800-\udbff]/u.test(this.#rest.charAt(PIECE - 1));
    const end = isSplit ? PIECE - 1 : PIECE;
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
