import type { GraphQLError } from 'graphql';
import { queryTooCostly } from '../domain/errors.ts';
import { readFailure } from './errors/graphql-errors.ts';

export interface ResponseLimits {
  /** Fields, list items and values of input that one operation may come to (`MAX_ANSWER_FIELDS`). */
  readonly maxAnswerFields: number;
  /** Characters of text that one operation may come to, in its answer and in the input that it reads (`MAX_ANSWER_TEXT`). */
  readonly maxAnswerText: number;
}

/** An error takes about as long to make as so many fields. */
export const FIELDS_PER_ERROR = 10;

/** Values from which on the size of an input is remembered, so that a hundred uses of it do not count it anew. */
const LARGE_INPUT = 1_000;

/** Sizes from which on writing JSON takes some milliseconds. */
const LARGE_FIELDS = 10_000;
const LARGE_TEXT = 250_000;

/** The size of a JSON value. */
export interface Size {
  /** It and all values in it. */
  fields: number;
  /** Characters of its texts and names. */
  text: number;
}

/**
 * The budget of one operation. Everything is charged as it is produced, whatever type it is of: the size of an
 * answer is not known before, since texts and lists have the size that they have. Once it is used up, every further charge
 * throws the same error, so that the operation ends.
 */
export class ResponseBudget {
  readonly #limits: ResponseLimits;
  #fields: number;
  #text: number;
  #inputs: Map<object, Size> | null = null;
  #exceeded: GraphQLError | null = null;
  #other: ResponseBudget | null = null;

  constructor(limits: ResponseLimits) {
    this.#limits = limits;
    this.#fields = limits.maxAnswerFields;
    this.#text = limits.maxAnswerText;
  }

  /** One of the same size for the same answer, of which nothing is used yet. */
  another(): ResponseBudget {
    this.#other = new ResponseBudget(this.#limits);
    return this.#other;
  }

  /** True where so much was charged that to write the answer takes long. */
  get isLargelyUsed(): boolean {
    const { maxAnswerFields, maxAnswerText } = this.#limits;
    const isLarge = maxAnswerFields - this.#fields > LARGE_FIELDS || maxAnswerText - this.#text > LARGE_TEXT;
    return isLarge || (this.#other?.isLargelyUsed ?? false);
  }

  /** The error that ends the operation, once there is one. */
  get exceeded(): GraphQLError | null {
    return this.#exceeded;
  }

  /** Fields of objects and items of lists, before they are completed. */
  chargeFields(count: number): void {
    this.#fields -= count;
    if (this.#fields < 0) this.#end();
  }

  /** Characters, as UTF-16 code units. */
  chargeText(length: number): void {
    this.#text -= length;
    if (this.#text < 0) this.#end();
  }

  /** A value of a leaf type: a text by its length as JSON, a JSON value by all that is in it. */
  chargeLeaf(value: unknown): void {
    if (typeof value === 'string') this.#chargeAsJson(value);
    else if (typeof value === 'object' && value !== null) this.#chargeSize(sizeOf(value, this.#fields, lengthAsJson));
  }

  chargeError({ message, extensions }: GraphQLError): void {
    this.chargeFields(FIELDS_PER_ERROR);
    this.#chargeAsJson(message);
    this.chargeLeaf(extensions);
  }

  /** The arguments of a field: whoever reads the same large input under a hundred aliases reads it a hundred times. */
  chargeInput(args: Readonly<Record<string, unknown>>): void {
    for (const name in args) {
      const value = args[name];
      if (typeof value === 'string') this.chargeText(value.length);
      else if (typeof value === 'object' && value !== null) this.#chargeSize(this.#sizeOfInput(value));
    }
  }

  /** A text that has no room however it is written is not looked through. */
  #chargeAsJson(text: string): void {
    this.chargeText(text.length > this.#text ? text.length : lengthAsJson(text));
  }

  #chargeSize({ fields, text }: Size): void {
    this.chargeFields(fields);
    this.chargeText(text);
  }

  #sizeOfInput(value: object): Size {
    const known = this.#inputs?.get(value);
    if (known) return known;
    const size = sizeOf(value, this.#fields);
    if (size.fields >= LARGE_INPUT) {
      this.#inputs ??= new Map();
      this.#inputs.set(value, size);
    }
    return size;
  }

  #end(): never {
    const { maxAnswerFields, maxAnswerText } = this.#limits;
    const message =
      this.#text < 0
        ? `The texts of an operation and of its answer may have ${maxAnswerText} characters. Ask for fewer.`
        : `An operation may read and answer ${maxAnswerFields} fields and list items. Ask for fewer items, or for less of each.`;
    this.#exceeded ??= readFailure(queryTooCostly(message));
    this.#fields = Number.NEGATIVE_INFINITY;
    this.#text = Number.NEGATIVE_INFINITY;
    throw this.#exceeded;
  }
}

/** Characters that are looked at in one go, so that no long text is copied whole. */
const PIECE = 64 * 1024;

/** The length of a text as JSON writes it, which for control characters is six times as long. The engine counts fastest. */
function lengthAsJson(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += PIECE) length += JSON.stringify(text.slice(at, at + PIECE)).length - 2;
  return length;
}

const plainLength = (text: string): number => text.length;

/** Counts no further than to `enough` values. */
export function sizeOf(value: unknown, enough = Number.POSITIVE_INFINITY, lengthOf = plainLength): Size {
  const size: Size = { fields: 0, text: 0 };
  const measure = (part: unknown): void => {
    size.fields += 1;
    if (typeof part === 'string') size.text += lengthOf(part);
    if (typeof part !== 'object' || part === null || size.fields > enough) return;
    if (Array.isArray(part)) {
      for (const item of part) measure(item);
      return;
    }
    for (const name in part) {
      size.text += name.length;
      measure(Reflect.get(part, name));
    }
  };
  measure(value);
  return size;
}
