import { isObject } from '../../base/json/json-objects.ts';
import type { JsonSchema } from '../schemas/json-schemas.ts';
import { sliceText } from './bounded-values.ts';

/** The most characters of an article's text in one result. */
const PAGE_CHARS = 20_000;

export const CONTENT_OFFSET_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `The character at which the piece of the text begins; a piece has up to ${PAGE_CHARS} characters.`,
};

export const CONTENT_PAGE_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  description: 'The place of the returned piece in the whole text, in UTF-16 code units; null where there is no text.',
  properties: {
    offset: { type: 'integer' },
    totalLength: { type: 'integer' },
    nextOffset: { type: ['integer', 'null'] },
  },
  required: ['offset', 'totalLength', 'nextOffset'],
};

interface PagedArticle {
  /** The article without its texts. */
  readonly article: unknown;
  /** The piece of one of its texts, by the name of its field; the other text is null. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly contentPage: unknown;
}

/** Takes a piece of the text of an article: of its `content`, or of its `htmlContent` where it has no other. */
export function pageContent(article: unknown, offset: number): PagedArticle {
  if (!isObject(article)) return { article, texts: {}, contentPage: null };
  const { content, htmlContent, ...others } = article;
  const whole = typeof content === 'string' ? content : htmlContent;
  if (typeof whole !== 'string')
    return { article: others, texts: { content: null, htmlContent: null }, contentPage: null };
  const piece = sliceText(whole, offset, offset + PAGE_CHARS);
  const end = offset + piece.length;
  const isHtml = typeof content !== 'string';
  return {
    article: others,
    texts: { content: isHtml ? null : piece, htmlContent: isHtml ? piece : null },
    contentPage: { offset, totalLength: whole.length, nextOffset: end < whole.length ? end : null },
  };
}
