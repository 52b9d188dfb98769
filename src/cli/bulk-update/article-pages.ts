import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { HashedTexts } from '../../core/sheets/shared-values.ts';
import type { UpdateRow } from './article-rows.ts';
import type { GatewayFailure } from './gateway-client.ts';
import type { UpdateRows } from './input-rows.ts';

/** The rows with their positions in the file, in that order. */
export interface PreviewPage {
  readonly rows: readonly UpdateRow[];
  readonly positions: readonly number[];
}

/** An answer has the old and the new texts, so that pages are smaller than the parts of a job. */
const PAGE = { maxRows: 500, maxBytes: 1024 ** 2 };

const PAGE_OF_ARTICLE = { maxRows: 5_000, maxBytes: 6 * 1024 ** 2 };

/**
 * Sends the rows in pages, in which each article has all of its rows in their order: what a row does depends on the
 * earlier rows of its article. Once the gateway refuses a page of several articles as too large, pages have half as many
 * rows.
 */
export async function sendPages(
  rows: UpdateRows,
  send: (page: PreviewPage) => Promise<Result<void, GatewayFailure>>,
): Promise<Result<void, GatewayFailure>> {
  const plan = new PagePlan(rows);
  for (let first = 0; first < rows.length; ) {
    const planned = plan.pageAt(first);
    if (planned === null) return err(TOO_LARGE);
    const { positions, articles, end } = planned;
    const page = { rows: positions.flatMap((position) => rows.at(position) ?? []), positions };
    const sent = positions.length === 0 ? ok(undefined) : await send(page);
    if (sent.ok) first = end;
    else if (sent.error.kind === 'too-large' && articles > 1) plan.halve(positions.length);
    else return err(sent.error);
  }
  return ok(undefined);
}

const TOO_LARGE: GatewayFailure = {
  kind: 'too-large',
  message: `An article has more than ${PAGE_OF_ARTICLE.maxRows} rows or ${PAGE_OF_ARTICLE.maxBytes / 1024 ** 2} MiB, which no preview takes.`,
  retryAfterMs: 0,
  issues: [],
};

interface PlannedPage {
  readonly positions: readonly number[];
  readonly articles: number;
  /** The position from which on articles begin that no page has yet. */
  readonly end: number;
}

/** Keeps numbers of each row alone, since a file may have a million. */
class PagePlan {
  readonly #sizes: Uint32Array;
  /** The next row of the article of each row; 0 for none, since no row comes before the first. */
  readonly #next: Uint32Array;
  readonly #isFirst: Uint8Array;
  #maxRows = PAGE.maxRows;

  constructor(rows: UpdateRows) {
    this.#sizes = new Uint32Array(rows.length);
    this.#next = new Uint32Array(rows.length);
    this.#isFirst = new Uint8Array(rows.length);
    const firsts = new HashedTexts();
    const lasts = new Uint32Array(rows.length);
    for (let position = 0; position < rows.length; position += 1) {
      const row = rows.at(position);
      if (row === undefined) continue;
      // One more for the comma that separates the rows.
      this.#sizes[position] = Buffer.byteLength(row.json) + 1;
      const first = firsts.put(idKeyOf(row.update.articleId), position);
      if (first === position) this.#isFirst[position] = 1;
      else this.#next[lasts[first] ?? 0] = position;
      lasts[first] = position;
    }
  }

  /** The page that begins with the article of a row; null where the article alone is too large. */
  pageAt(first: number): PlannedPage | null {
    const positions: number[] = [];
    let bytes = 0;
    let articles = 0;
    let end = first;
    for (; end < this.#isFirst.length; end += 1) {
      if (this.#isFirst[end] === 0) continue;
      const article = this.#rowsFrom(end);
      const isFull =
        article === null ||
        positions.length + article.positions.length > this.#maxRows ||
        bytes + article.bytes > PAGE.maxBytes;
      if (isFull && articles > 0) break;
      if (article === null) return null;
      positions.push(...article.positions);
      bytes += article.bytes;
      articles += 1;
    }
    return { positions: positions.toSorted((one, other) => one - other), articles, end };
  }

  /** The rows of the article of a row, from that one on; null where they are too large for any page. */
  #rowsFrom(first: number): { readonly positions: readonly number[]; readonly bytes: number } | null {
    const positions: number[] = [];
    let bytes = 0;
    let position = first;
    do {
      bytes += this.#sizes[position] ?? 0;
      positions.push(position);
      if (positions.length > PAGE_OF_ARTICLE.maxRows) return null;
      position = this.#next[position] ?? 0;
    } while (position !== 0);
    return bytes > PAGE_OF_ARTICLE.maxBytes && positions.length > 1 ? null : { positions, bytes };
  }

  /** Halves the pages after one of so many rows was refused. */
  halve(rows: number): void {
    this.#maxRows = Math.ceil(rows / 2);
  }
}
