import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import { isObject } from '../core/base/json.ts';
import { CONTENT_PAGE_CHARS, MAX_RESULT_SIZE } from '../core/base/limits.ts';
import type { PreparedTool } from './prepare-tools.ts';

/** The result of a call, as the client receives it. */
export interface ToolResult {
  readonly structuredContent: Readonly<Record<string, unknown>>;
  /** True where nothing was done of what was requested. */
  readonly isError: boolean;
  /** True where a part was cut, unreadable or has unknown changes, so that a preview does not show the whole change. */
  readonly isPartial?: boolean;
  /** A note before the result. */
  readonly note?: string;
}

/** Creates the result of a call that ended before its operation. Errors have the form of GraphQL's `extensions`. */
export const failedCall = (message: string, extensions: Readonly<Record<string, unknown>>): ToolResult => ({
  structuredContent: { errors: [{ message, ...extensions }] },
  isError: true,
});

export function withError(result: ToolResult, error: Readonly<Record<string, unknown>>): ToolResult {
  const { errors } = result.structuredContent;
  const all = [...(Array.isArray(errors) ? errors : []), error];
  return { ...result, structuredContent: { ...result.structuredContent, errors: all } };
}

interface ResultParts {
  readonly tool: PreparedTool;
  readonly result: ExecutionResult;
  readonly contentOffset: number;
}

/** Creates the result of an operation, cut to the bounds of a result. */
export function toolResultOf({ tool, result, contentOffset }: ResultParts): ToolResult {
  const values = new BoundedValues(tool.effect === 'preview' ? WHOLE_PARTS : SHORT_PARTS);
  const root = result.data?.[tool.rootField] ?? null;
  const errors = result.errors?.map((error) => describeError(error.toJSON()));
  const structuredContent = {
    ...(result.data && boundedData(values, { tool, root, contentOffset })),
    ...(errors !== undefined && { errors: values.bound(errors, ['errors']) }),
    ...(values.truncations.length > 0 && { truncated: values.truncations }),
  };
  // Only the error of a whole write or preview has this member.
  const failed = isObject(root) && 'mayHaveApplied' in root;
  const isError = failed || (root === null && errors !== undefined);
  const isPartial = errors !== undefined || values.truncations.length > 0 || hasFailingItem(root);
  const isReplayed = tool.effect === 'write' && isObject(root) && root['replayed'] === true;
  return { structuredContent, isError, isPartial, ...(isReplayed && { note: USED_TOKEN }) };
}

/** The changes of an item that would fail are unknown, and the service may make them nevertheless. */
const hasFailingItem = (root: unknown): boolean =>
  isObject(root) &&
  Array.isArray(root['results']) &&
  root['results'].some((item: unknown) => isObject(item) && item['wouldSucceed'] === false);

function boundedData(
  values: BoundedValues,
  { tool, root, contentOffset }: { tool: PreparedTool; root: unknown; contentOffset: number },
): Readonly<Record<string, unknown>> {
  const { rootField } = tool;
  if (!tool.pagesContent) return { [rootField]: values.bound(root, [rootField]) };
  const { article, texts, contentPage } = pageContent(root, contentOffset);
  const bounded = values.bound(article, [rootField]);
  return { [rootField]: isObject(bounded) ? { ...bounded, ...texts } : bounded, contentPage };
}

const describeError = ({ message, path, extensions }: GraphQLFormattedError) => ({
  message,
  ...(path !== undefined && { path }),
  ...extensions,
});

const USED_TOKEN =
  'This previewToken was used before, so that this call wrote nothing. The recorded answer of the call that used it follows.';

interface PagedArticle {
  /** The article without its texts. */
  readonly article: unknown;
  /** The piece of one of its texts, by the name of its field. The other text is null. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly contentPage: unknown;
}

/** Cuts a piece out of the text of an article: of its `content`, or of its `htmlContent` where it has no other. */
function pageContent(article: unknown, offset: number): PagedArticle {
  if (!isObject(article)) return { article, texts: {}, contentPage: null };
  const { content, htmlContent, ...others } = article;
  const whole = typeof content === 'string' ? content : htmlContent;
  if (typeof whole !== 'string')
    return { article: others, texts: { content: null, htmlContent: null }, contentPage: null };
  const piece = sliceText(whole, offset, offset + CONTENT_PAGE_CHARS);
  const end = offset + piece.length;
  const isHtml = typeof content !== 'string';
  return {
    article: others,
    texts: { content: isHtml ? null : piece, htmlContent: isHtml ? piece : null },
    contentPage: { offset, totalLength: whole.length, nextOffset: end < whole.length ? end : null },
  };
}

/** The most characters of one text, and the most items of one list. */
interface ResultPartLimits {
  readonly textChars: number;
  readonly items: number;
}

/**
 * The bounds of texts and lists in a large result. The requested piece of an article's text has a bound of its own.
 * @internal Exported for tests.
 */
export const SHORT_PARTS: ResultPartLimits = { textChars: 1_000, items: 200 };

/**
 * The bounds where the whole result is small: nothing is cut.
 * @internal Exported for tests.
 */
export const WHOLE_PARTS: ResultPartLimits = { textChars: MAX_RESULT_SIZE, items: MAX_RESULT_SIZE };

/** A text or list that was cut. */
interface Truncation {
  readonly path: string;
  readonly unit: 'characters' | 'items';
  readonly kept: number;
  readonly total: number;
}

/** The texts that are never cut, since a cut cursor would be invalid. */
const WHOLE_TEXTS: ReadonlySet<string> = new Set(['endCursor']);

/**
 * Cuts long texts and lists, so that a result fits into the context of its reader. Each cut is recorded.
 * @internal Exported for tests.
 */
export class BoundedValues {
  readonly truncations: Truncation[] = [];
  readonly #limits: ResultPartLimits;
  #size = 0;

  constructor(limits: ResultPartLimits) {
    this.#limits = limits;
  }

  bound(value: unknown, path: readonly string[] = []): unknown {
    if (typeof value === 'string') return this.#boundText(value, path);
    if (Array.isArray(value)) return this.#boundList(value, path);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => [name, this.bound(member, [...path, name])]);
    return Object.fromEntries(entries);
  }

  #boundText(text: string, path: readonly string[]): string {
    // Short texts are never cut, since the bounds of lists limit their number.
    const room = Math.max(SHORT_PARTS.textChars, MAX_RESULT_SIZE - this.#size);
    const maxChars = Math.min(this.#limits.textChars, room);
    const kept = WHOLE_TEXTS.has(path.at(-1) ?? '') ? text : sliceText(text, 0, maxChars);
    this.#size += kept.length;
    if (kept.length < text.length) this.#truncate(path, 'characters', { kept: kept.length, total: text.length });
    return kept;
  }

  #boundList(list: readonly unknown[], path: readonly string[]): readonly unknown[] {
    const kept: unknown[] = [];
    for (const item of list) {
      if (kept.length === this.#limits.items || this.#size >= MAX_RESULT_SIZE) break;
      this.#size += 1;
      kept.push(this.bound(item, [...path, `${kept.length}`]));
    }
    if (kept.length < list.length) this.#truncate(path, 'items', { kept: kept.length, total: list.length });
    return kept;
  }

  #truncate(path: readonly string[], unit: Truncation['unit'], counts: Pick<Truncation, 'kept' | 'total'>): void {
    this.truncations.push({ path: path.join('.'), unit, ...counts });
  }
}

/**
 * A part of a text that ends between two characters, also where these are pairs of surrogates.
 * @internal Exported for tests.
 */
export function sliceText(text: string, start: number, end: number): string {
  const splitsPair = end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1)) && end - 1 > start;
  return text.slice(start, splitsPair ? end - 1 : end);
}
