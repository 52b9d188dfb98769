import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { HashedTexts } from '../../core/sheets/shared-values.ts';
import type { UpdateRow } from './article-rows.ts';
import type { GatewayFailure } from './gateway-client.ts';
import type { UpdateRows } from './input-rows.ts';

export interface PreviewPage {
  /** The rows with their positions in the file, in that order. */
  readonly rows: readonly UpdateRow[];
  readonly positions: readonly number[];
  /** The row before these that has their article, where an earlier page has that; else null. */
  readonly after: UpdateRow | null;
}

interface PageLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** An answer has the old and the new texts, so that pages are smaller than the parts of a job. */
const PAGE: PageLimits = { maxRows: 500, maxBytes: 1024 ** 2 };

/** The limits of a page that has the rows of one article alone. */
const PAGE_OF_ARTICLE: PageLimits = { maxRows: 5_000, maxBytes: 6 * 1024 ** 2 };

/**
 * Sends the rows in pages, in which each article has all of its rows in their order: what a row does depends on the
 * earlier rows of its article. Only an article that is too large for any page is divided. Once the gateway refuses a page
 * as too large, pages have half as many rows.
 */
export async function sendPages(
  rows: UpdateRows,
  send: (page: PreviewPage) => Promise<Result<void, GatewayFailure>>,
): Promise<Result<void, GatewayFailure>> {
  const plan = new PagePlan(rows);
  for (let start: PageStart = { first: 0, rest: null }; start.first < rows.length; ) {
    const { positions, end, isOfOneArticle } = plan.pageAt(start);
    const after = start.rest === null ? null : (rows.at(start.rest.after) ?? null);
    const page = { rows: positions.flatMap((position) => rows.at(position) ?? []), positions, after };
    const sent = positions.length === 0 ? ok(undefined) : await send(page);
    if (sent.ok) start = end;
    else if (sent.error.kind === 'too-large' && positions.length > 1) plan.halve(positions.length, isOfOneArticle);
    else return err(sent.error);
  }
  return ok(undefined);
}

/** The rows with which the next page begins. */
interface PageStart {
  /** The position from which on articles begin that no earlier page has. */
  readonly first: number;
  /** The row with which a divided article goes on, and the one before it; null where no article is divided here. */
  readonly rest: { readonly position: number; readonly after: number } | null;
}

interface PlannedPage {
  readonly positions: readonly number[];
  readonly end: PageStart;
  readonly isOfOneArticle: boolean;
}

/** Some rows of an article, from one of them on. */
interface Run {
  readonly positions: readonly number[];
  readonly bytes: number;
  /** The row of the article after them; 0 for none. */
  readonly next: number;
}

/** Keeps numbers of each row alone, since a file may have a million. */
class PagePlan {
  readonly #sizes: Uint32Array;
  /** The next row of the article of each row; 0 for none, since no row comes before the first. */
  readonly #next: Uint32Array;
  readonly #isFirst: Uint8Array;
  #page = PAGE;
  #pageOfArticle = PAGE_OF_ARTICLE;

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

  pageAt({ first, rest }: PageStart): PlannedPage {
    if (rest !== null) return this.#pageOfOne(rest.position, first);
    const positions: number[] = [];
    let bytes = 0;
    let articles = 0;
    let article = first;
    for (; article < this.#isFirst.length; article += 1) {
      if (this.#isFirst[article] === 0) continue;
      const { maxRows, maxBytes } = this.#page;
      const run = this.#runFrom(article, { maxRows: maxRows - positions.length, maxBytes: maxBytes - bytes });
      const isWhole = run.next === 0 && run.positions.length > 0;
      if (!isWhole && articles === 0) return this.#pageOfOne(article, article + 1);
      if (!isWhole) break;
      positions.push(...run.positions);
      bytes += run.bytes;
      articles += 1;
    }
    const end = { first: article, rest: null };
    return { positions: positions.toSorted((one, other) => one - other), end, isOfOneArticle: articles === 1 };
  }

  #pageOfOne(position: number, first: number): PlannedPage {
    const found = this.#runFrom(position, this.#pageOfArticle);
    const { positions, next } = found.positions.length > 0 ? found : this.#runFrom(position, ONE_ROW);
    const rest = next === 0 ? null : { position: next, after: positions.at(-1) ?? 0 };
    return { positions, end: { first, rest }, isOfOneArticle: true };
  }

  #runFrom(start: number, { maxRows, maxBytes }: PageLimits): Run {
    const positions: number[] = [];
    let bytes = 0;
    let next = start;
    do {
      const size = this.#sizes[next] ?? 0;
      if (positions.length === maxRows || bytes + size > maxBytes) return { positions, bytes, next };
      positions.push(next);
      bytes += size;
      next = this.#next[next] ?? 0;
    } while (next !== 0);
    return { positions, bytes, next };
  }

  /** Halves the pages after one of so many rows was refused. */
  halve(rows: number, isOfOneArticle: boolean): void {
    const half = Math.ceil(rows / 2);
    this.#page = { ...this.#page, maxRows: Math.min(this.#page.maxRows, half) };
    if (isOfOneArticle) this.#pageOfArticle = { ...this.#pageOfArticle, maxRows: half };
  }
}

const ONE_ROW: PageLimits = { maxRows: 1, maxBytes: Number.POSITIVE_INFINITY };
