import type { GraphQLError } from 'graphql';
import { isObject } from '../../core/base/json.ts';
import { MAX_ANSWER_CHARS, MAX_ANSWER_FIELDS } from '../../core/base/limits.ts';
import { queryTooCostly } from '../../core/errors.ts';
import { createGraphQLError } from './graphql-errors.ts';

export interface ResponseLimits {
  /** Fields, list items and input values of one operation. */
  readonly maxAnswerFields: number;
  /** Characters of all texts in the input and the response of one operation. */
  readonly maxAnswerChars: number;
}

export const ANSWER_LIMITS: ResponseLimits = {
  maxAnswerFields: MAX_ANSWER_FIELDS,
  maxAnswerChars: MAX_ANSWER_CHARS,
};

/** Creating an error takes about as long as this many fields. */
export const FIELDS_PER_ERROR = 10;

export interface JsonSize {
  /** The value itself and all values in it. */
  fields: number;
  /** Characters of all texts and member names. */
  text: number;
}

/**
 * The budget of one operation. Everything is charged when it is produced, since the sizes of texts and lists are not
 * known before. Once the budget is exceeded, every further charge throws the same error, so that the operation ends.
 */
export class ResponseBudget {
  readonly #limits: ResponseLimits;
  #fields: number;
  #text: number;
  #exceededError: GraphQLError | null = null;

  constructor(limits: ResponseLimits) {
    this.#limits = limits;
    this.#fields = limits.maxAnswerFields;
    this.#text = limits.maxAnswerChars;
  }

  /** Creates a second, unused budget for the same response. */
  createSibling(): ResponseBudget {
    return new ResponseBudget(this.#limits);
  }

  /** The error that ends the operation; null while the budget holds. */
  get exceededError(): GraphQLError | null {
    return this.#exceededError;
  }

  /** Charges fields of objects and items of lists before they are completed. */
  chargeFields(count: number): void {
    this.#fields -= count;
    if (this.#fields < 0) this.#exceed();
  }

  /** Throws where so many fields would exceed the budget. It charges nothing: fields are charged when they are completed. */
  requireFields(count: number): void {
    if (count > this.#fields) this.#exceed();
  }

  /** Charges characters, in UTF-16 code units. */
  chargeText(length: number): void {
    this.#text -= length;
    if (this.#text < 0) this.#exceed();
  }

  /** Charges a value of a leaf type: a text by its length as JSON, a JSON value by everything in it. */
  chargeLeaf(value: unknown): void {
    if (typeof value === 'string') this.#chargeJsonText(value);
    else if (typeof value === 'object' && value !== null)
      this.#chargeSize(jsonSizeOf(value, this.#fields, jsonLengthOf));
  }

  chargeError({ message, extensions }: GraphQLError): void {
    this.chargeFields(FIELDS_PER_ERROR);
    this.#chargeJsonText(message);
    this.chargeLeaf(extensions);
  }

  /** Charges the arguments of a field at each use: a hundred aliases read the same large input a hundred times. */
  chargeInput(args: Readonly<Record<string, unknown>>): void {
    for (const name in args) {
      const value = args[name];
      if (typeof value === 'string') this.chargeText(value.length);
      else if (typeof value === 'object' && value !== null) this.#chargeSize(jsonSizeOf(value, this.#fields));
    }
  }

  /** Charges the plain length first, so that a text which exceeds the budget is not scanned. */
  #chargeJsonText(text: string): void {
    this.chargeText(text.length > this.#text ? text.length : jsonLengthOf(text));
  }

  #chargeSize({ fields, text }: JsonSize): void {
    this.chargeFields(fields);
    this.chargeText(text);
  }

  #exceed(): never {
    const { maxAnswerFields, maxAnswerChars } = this.#limits;
    const message =
      this.#text < 0
        ? `The texts of an operation and of its answer may have ${maxAnswerChars} characters. Ask for fewer.`
        : `An operation may read and answer ${maxAnswerFields} fields and list items. Ask for fewer items, or for less of each.`;
    this.#exceededError ??= createGraphQLError(queryTooCostly(message));
    this.#fields = Number.NEGATIVE_INFINITY;
    this.#text = Number.NEGATIVE_INFINITY;
    throw this.#exceededError;
  }
}

/** Characters per slice, so that no long text is copied whole. */
const SLICE_LENGTH = 64 * 1024;

/** Below this length a search is faster than `JSON.stringify`. */
const SHORT_LENGTH = 100;
/** Characters that JSON escapes: quotation marks, backslashes, control characters, surrogates. Pairs of these match, too. */
const MAY_BE_ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Returns the length of a text in JSON, where a control character has six. `JSON.stringify` counts long texts the fastest. */
function jsonLengthOf(text: string): number {
  if (text.length < SHORT_LENGTH && !MAY_BE_ESCAPED.test(text)) return text.length;
  let length = 0;
  for (let start = 0; start < text.length; start += SLICE_LENGTH)
    length += JSON.stringify(text.slice(start, start + SLICE_LENGTH)).length - 2;
  return length;
}

const textLengthOf = (text: string): number => text.length;

/** Counts the values and characters of a JSON value. Stops at `maxFields` values. */
export function jsonSizeOf(value: unknown, maxFields = Number.POSITIVE_INFINITY, lengthOf = textLengthOf): JsonSize {
  const size: JsonSize = { fields: 0, text: 0 };
  const measure = (part: unknown): void => {
    size.fields += 1;
    if (typeof part === 'string') size.text += lengthOf(part);
    if (size.fields > maxFields) return;
    if (Array.isArray(part)) for (const item of part) measure(item);
    else if (isObject(part)) {
      for (const name in part) {
        size.text += name.length;
        measure(part[name]);
      }
    }
  };
  measure(value);
  return size;
}
