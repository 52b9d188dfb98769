import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import type { UpdateRow } from './article-rows.ts';
import type { GatewayFailure } from './gateway-client.ts';

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
  rows: readonly UpdateRow[],
  send: (page: PreviewPage) => Promise<Result<void, GatewayFailure>>,
): Promise<Result<void, GatewayFailure>> {
  const plan = new PagePlan(rows);
  for (let page = plan.next(); page !== null; page = plan.next()) {
    const { positions, after } = page;
    const paged = positions.flatMap((position) => rows[position] ?? []);
    const sent = await send({ rows: paged, positions, after: after === null ? null : (rows[after] ?? null) });
    if (sent.ok) plan.pass(page);
    else if (sent.error.kind === 'too-large' && positions.length > 1) plan.halve(page);
    else return err(sent.error);
  }
  return ok(undefined);
}

interface PlannedPage {
  readonly positions: readonly number[];
  /** The last row of the divided article in earlier pages; null where no article is divided. */
  readonly after: number | null;
  /** How many articles the page has whole; 0 for a part of one. */
  readonly articles: number;
}

/** Positions that go together. */
type Group = readonly number[];

class PagePlan {
  readonly #sizes: readonly number[];
  /** The rows of each article. */
  readonly #articles: readonly Group[];
  #limits = PAGE;
  #limitsOfArticle = PAGE_OF_ARTICLE;
  /** The article with which the next page begins, and its rows in earlier pages. */
  #first = 0;
  #begun = 0;

  constructor(rows: readonly UpdateRow[]) {
    // One more for the comma that separates the rows.
    this.#sizes = rows.map(({ update }) => Buffer.byteLength(JSON.stringify(update)) + 1);
    const idKeys = rows.map(({ update }) => idKeyOf(update.articleId));
    this.#articles = [...Map.groupBy(rows.keys(), (position) => idKeys[position]).values()];
  }

  /** The next page; null after the last. */
  next(): PlannedPage | null {
    const article = this.#articles[this.#first];
    if (article === undefined) return null;
    const whole = this.#begun === 0 ? this.#fitting(from(this.#articles, this.#first), this.#limits) : [];
    if (whole.length > 0)
      return { positions: whole.flat().toSorted((one, other) => one - other), after: null, articles: whole.length };
    const rest = article.slice(this.#begun);
    const part = this.#fitting(
      rest.map((position) => [position]),
      this.#limitsOfArticle,
    );
    const after = this.#begun === 0 ? null : (article[this.#begun - 1] ?? null);
    return { positions: rest.slice(0, Math.max(1, part.length)), after, articles: 0 };
  }

  /** The first groups that a page has room for. */
  #fitting(groups: Iterable<Group>, { maxRows, maxBytes }: PageLimits): readonly Group[] {
    const taken: Group[] = [];
    let [rows, bytes] = [0, 0];
    for (const group of groups) {
      rows += group.length;
      bytes += group.reduce((sum, position) => sum + (this.#sizes[position] ?? 0), 0);
      if (rows > maxRows || bytes > maxBytes) break;
      taken.push(group);
    }
    return taken;
  }

  /** Goes on after a page that was sent. */
  pass({ articles, positions }: PlannedPage): void {
    this.#begun += positions.length;
    if (articles === 0 && this.#begun < (this.#articles[this.#first]?.length ?? 0)) return;
    this.#first += Math.max(1, articles);
    this.#begun = 0;
  }

  /** Halves the pages after one that was refused. */
  halve({ articles, positions }: PlannedPage): void {
    const half = Math.ceil(positions.length / 2);
    this.#limits = { ...this.#limits, maxRows: Math.min(this.#limits.maxRows, half) };
    if (articles < 2) this.#limitsOfArticle = { ...this.#limitsOfArticle, maxRows: half };
  }
}

function* from<T>(list: readonly T[], start: number): Generator<T> {
  for (let at = start; at < list.length; at += 1) yield* list.slice(at, at + 1);
}
