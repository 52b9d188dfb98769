import { type ApplyRun, inParts, type KnownFile, notDoneOf, type Sent } from './apply-run.ts';
import type { PlanItemOf } from './plan-file.ts';
import { NO_OUTCOME, notDoneReason, type TargetArticle, type WriteOutcome } from './plan-gateway.ts';
import { readTexts, resultOf, sameContent } from './target.ts';

type CreateItem = PlanItemOf<'create'>;

interface CreateInput {
  readonly title: string;
  readonly content: string;
  readonly projectVersionId: string;
  readonly contentType: 'MARKDOWN';
  readonly order?: number;
  readonly categoryId?: string;
}

interface KnownCreation extends KnownFile {
  readonly set: CreateItem['set'];
}

type Part = readonly Sent<CreateItem, CreateInput>[];

/**
 * Creates the articles of a plan in calls that a later run with this plan repeats exactly: the same key then gives the
 * same answer, also while the first call is still under way.
 */
export async function createPlannedArticles(run: ApplyRun): Promise<void> {
  const creations = new ArticleCreations(run);
  const ready = run.itemsOf('create').flatMap((item) => creations.inputOf(item));
  for (const part of inParts(ready)) await creations.createPart(part);
}

class ArticleCreations {
  readonly #run: ApplyRun;
  /** The articles that were kept for paths, and that are there. */
  readonly #locked: ReadonlyMap<string, string>;
  /** The articles of titles that the plan does not know. */
  readonly #unknown: ReadonlyMap<string | null, readonly TargetArticle[]>;

  constructor(run: ApplyRun) {
    const { locked, plan, stored } = run.options;
    this.#run = run;
    this.#locked = new Map([...locked].filter(([, id]) => run.storedOf(run.mainLanguage, id) !== undefined));
    const known = new Set(plan.items.flatMap((item) => ('articleId' in item ? (item.articleId ?? []) : [])));
    const others = [...(stored.get(run.mainLanguage)?.values() ?? [])].filter(({ articleId }) => !known.has(articleId));
    this.#unknown = Map.groupBy(others, ({ title }) => title);
  }

  inputOf(item: CreateItem): Part {
    const { projectVersionId } = this.#run.options.plan.header.target;
    const input = this.#run.inputOf(item.set);
    if (input === null) {
      this.#run.fail(item.path, 'its category was not created.');
      return [];
    }
    const { order, categoryId } = input;
    const { title, content } = item.set;
    const placed = { ...(order !== undefined && { order }), ...(categoryId !== undefined && { categoryId }) };
    return [[item, { title, content, projectVersionId, contentType: 'MARKDOWN', ...placed }]];
  }

  async createPart(part: Part): Promise<void> {
    const key = this.#run.keyOf(part.map(([{ path }]) => path));
    const known = part.flatMap(([item]) => this.#knownFile(item, this.#locked.get(item.path)));
    const begun = known.length === part.length ? [] : this.#run.options.journal.begun(key);
    if (begun !== null) this.#endKnown(known.filter(({ path }) => !begun.includes(path)));
    const open = begun === null ? await this.#endThere(part) : part.filter(([{ path }]) => begun.includes(path));
    if (open.length === 0) return;
    const paths = open.map(([{ path }]) => path);
    if (begun === null) this.#run.options.journal.begin(key, paths);
    await this.#send(open);
  }

  #knownFile = ({ path, language, set }: CreateItem, articleId: string | undefined): readonly KnownCreation[] =>
    articleId === undefined ? [] : [{ path, language, articleId, set }];

  /** Ends items whose articles are there. A run that was killed may not have set yet what follows a create. */
  #endKnown(files: readonly KnownCreation[]): void {
    const isWhole = ({ language, articleId, set: { hidden, translationStatus } }: KnownCreation) => {
      const stored = this.#run.storedOf(language, articleId);
      return isSetTo(hidden, stored?.hidden) && isSetTo(translationStatus, stored?.translationStatus);
    };
    this.#run.end(files.filter(isWhole), 'unchanged');
    this.#run.end(
      files.filter((file) => !isWhole(file)),
      'created',
    );
  }

  /**
   * Ends the items whose articles are there: kept, or created by a run whose files are lost or elsewhere. One that was
   * created since the plan with another text is not created again. The result is the others.
   */
  async #endThere(part: Part): Promise<Part> {
    const known = part.flatMap(([item]) => this.#knownFile(item, this.#locked.get(item.path)));
    const ended = new Set(known.map(({ path }) => path));
    const there = new Map(part.filter(([{ path }]) => !ended.has(path)).flatMap((sent) => this.#withItsTitle(sent)));
    for await (const { id, articleId, content } of readTexts(this.#run.options.gateway, [...there.keys()])) {
      const item = there.get(id);
      if (item === undefined || ended.has(item.path)) continue;
      ended.add(item.path);
      if (sameContent(item.set.content, content)) known.push(...this.#knownFile(item, articleId));
      else this.#run.fail(item.path, `an article of its title, ${articleId}, is there since the plan. Plan again.`);
    }
    this.#endKnown(known);
    return part.filter(([{ path }]) => !ended.has(path));
  }

  /** The articles of the same title and category that the plan does not know, by their global IDs. */
  #withItsTitle([item, { title, categoryId }]: Part[number]): readonly (readonly [id: string, item: CreateItem])[] {
    const same = this.#unknown.get(title)?.filter(({ category }) => category?.categoryId === categoryId);
    return same?.map(({ id }) => [id, item]) ?? [];
  }

  /** Where a recorded answer says that some were not created, these are sent once more, with another key. */
  async #send(part: Part): Promise<void> {
    const { gateway, userId } = this.#run.options;
    let open = part;
    for (let attempt = 0; open.length > 0 && attempt < MAX_ATTEMPTS; attempt += 1) {
      const input = { userId, articles: open.map(([, article]) => article) };
      const key = this.#run.keyOf([attempt, input]);
      const { replayed, results } = resultOf(await gateway.createArticles({ key, input }));
      open = await this.#endSent(open, results, replayed);
    }
    for (const [{ path }] of open) this.#run.fail(path, 'was not created.', 'failed');
  }

  /** False where somebody has deleted it since. */
  async #isMade([file]: readonly KnownCreation[], replayed: boolean): Promise<boolean> {
    return file !== undefined && (!replayed || (await this.#run.isThere(file.articleId, file.language)));
  }

  /** Ends the items of an answer, and returns those that have to be sent again. */
  async #endSent(part: Part, results: readonly WriteOutcome[], replayed: boolean): Promise<Part> {
    const made: KnownCreation[] = [];
    const again: Part[number][] = [];
    for (const [index, sent] of part.entries()) {
      const [item] = sent;
      const outcome = results[index] ?? NO_OUTCOME;
      const file = this.#knownFile(item, outcome.articleId);
      const isUnknown = outcome.__typename === 'ArticleCreateUnknown';
      if (await this.#isMade(file, replayed)) made.push(...file);
      else if (replayed && !isUnknown) again.push(sent);
      else {
        const what = isUnknown ? UNKNOWN : 'was not created';
        this.#run.fail(item.path, `${what}: ${notDoneReason(outcome)}`, notDoneOf(outcome));
      }
    }
    this.#run.end(made, 'created');
    return again;
  }
}

const isSetTo = <Value>(wanted: Value | undefined, stored: Value | null | undefined): boolean =>
  wanted === undefined || wanted === stored;

const UNKNOWN = 'may have been created, and the next plan looks for it';

/** Earlier calls of the same items that are known to have created nothing. */
const MAX_ATTEMPTS = 100;
