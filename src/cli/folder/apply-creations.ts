import { appendFileSync, closeSync, constants, existsSync } from 'node:fs';
import { z } from 'zod';
import { openPlainFile, readBoundedFile } from '../../core/base/bounded-file.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { CREATE_ARTICLES, notDoneReason, type WriteOutcome } from './apply-operations.ts';
import { type ApplyRun, inParts, type KnownFile, type Sent } from './apply-run.ts';
import { sameContent } from './build-plan.ts';
import type { PlanItemOf } from './plan-file.ts';
import { answerOf, readTexts, type TargetArticle } from './target.ts';

type CreateItem = PlanItemOf<'create'>;

interface CreateInput {
  readonly title: string;
  readonly content: string;
  readonly projectVersionId: string;
  readonly contentType: 'MARKDOWN';
  readonly order?: number;
  readonly categoryId?: string;
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
  readonly #journal: Journal;
  /** The articles that the lock file has for paths, and that are there. */
  readonly #locked: ReadonlyMap<string, string>;
  /** The articles of titles that the plan does not know. */
  readonly #unknown: ReadonlyMap<string | null, readonly TargetArticle[]>;

  constructor(run: ApplyRun) {
    const { lock, path, plan, stored } = run.options;
    this.#run = run;
    this.#journal = new Journal(`${path}.begun`, plan.header.planId);
    const entries = lock?.entriesOf(run.target) ?? [];
    const there = entries.filter(({ id }) => run.storedOf(run.mainLanguage, id) !== undefined);
    this.#locked = new Map(there.map((entry) => [entry.path, entry.id]));
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
    const begun = known.length === part.length ? [] : this.#journal.begun(key);
    if (begun !== null)
      this.#run.end(
        known.filter(({ path }) => !begun.includes(path)),
        'unchanged',
      );
    const open = begun === null ? await this.#endThere(part) : part.filter(([{ path }]) => begun.includes(path));
    if (open.length === 0) return;
    const paths = open.map(([{ path }]) => path);
    if (begun === null) this.#journal.begin(key, paths);
    await this.#send(open);
  }

  #knownFile = ({ path, language }: CreateItem, articleId: string | undefined): readonly KnownFile[] =>
    articleId === undefined ? [] : [{ path, language, articleId }];

  /**
   * Ends the items whose articles are there: in the lock file, or created by a run whose files are lost. One that was
   * created since the plan with another text is not created again. The result is the others.
   */
  async #endThere(part: Part): Promise<Part> {
    const known = part.flatMap(([item]) => this.#knownFile(item, this.#locked.get(item.path)));
    const ended = new Set(known.map(({ path }) => path));
    const there = new Map(part.filter(([{ path }]) => !ended.has(path)).flatMap((sent) => this.#withItsTitle(sent)));
    for await (const { id, articleId, content } of readTexts(this.#run.options.client, [...there.keys()])) {
      const item = there.get(id);
      if (item === undefined || ended.has(item.path)) continue;
      ended.add(item.path);
      if (sameContent(item.set.content, content)) known.push(...this.#knownFile(item, articleId));
      else this.#run.fail(item.path, `an article of its title, ${articleId}, is there since the plan. Plan again.`);
    }
    this.#run.end(known, 'unchanged');
    return part.filter(([{ path }]) => !ended.has(path));
  }

  /** The articles of the same title and category that the plan does not know, by their global IDs. */
  #withItsTitle([item, { title, categoryId }]: Part[number]): readonly (readonly [id: string, item: CreateItem])[] {
    const same = this.#unknown.get(title)?.filter(({ category }) => category?.categoryId === categoryId);
    return same?.map(({ id }) => [id, item]) ?? [];
  }

  /** Where a recorded answer says that some were not created, these are sent once more, with another key. */
  async #send(part: Part): Promise<void> {
    const { client, userId } = this.#run.options;
    let open = part;
    for (let attempt = 0; open.length > 0 && attempt < MAX_ATTEMPTS; attempt += 1) {
      const input = { userId, articles: open.map(([, article]) => article) };
      const key = this.#run.keyOf([attempt, input]);
      const { replayed, results } = (await answerOf(client, CREATE_ARTICLES, { key, input })).result;
      open = await this.#endSent(open, results, replayed);
    }
    for (const [{ path }] of open) this.#run.fail(path, 'was not created.');
  }

  /** False where somebody has deleted it since. */
  async #isMade([file]: readonly KnownFile[], replayed: boolean): Promise<boolean> {
    return file !== undefined && (!replayed || (await this.#run.isThere(file.articleId, file.language)));
  }

  /** Ends the items of an answer, and returns those that have to be sent again. */
  async #endSent(part: Part, results: readonly WriteOutcome[], replayed: boolean): Promise<Part> {
    const made: KnownFile[] = [];
    const again: Part[number][] = [];
    for (const [index, sent] of part.entries()) {
      const [item] = sent;
      const outcome = results[index] ?? NO_OUTCOME;
      const file = this.#knownFile(item, outcome.articleId);
      const isUnknown = outcome.__typename === 'ArticleCreateUnknown';
      if (await this.#isMade(file, replayed)) made.push(...file);
      else if (replayed && !isUnknown) again.push(sent);
      else this.#run.fail(item.path, `${isUnknown ? UNKNOWN : 'was not created'}: ${notDoneReason(outcome)}`);
    }
    this.#run.end(made, 'created');
    return again;
  }
}

const NO_OUTCOME: WriteOutcome = { __typename: 'it has no outcome', details: null };
const UNKNOWN = 'may have been created, and the next plan looks for it';

/** Earlier calls of the same items that are known to have created nothing. */
const MAX_ATTEMPTS = 100;

/** The parts whose creation has begun, with the paths that were sent, in a file beside the plan. */
class Journal {
  readonly #path: string;
  readonly #planId: string;

  constructor(path: string, planId: string) {
    this.#path = path;
    this.#planId = planId;
  }

  begun(part: string): readonly string[] | null {
    if (!existsSync(this.#path)) return null;
    const read = readBoundedFile(this.#path, { maxBytes: MAX_JOURNAL_BYTES });
    if (!read.ok) throw new Error(`${toPrintable(this.#path)} ${read.error}.`);
    const lines = read.value.toString().split('\n');
    const found = lines.map(entryOf).find((entry) => entry?.plan === this.#planId && entry.part === part);
    return found?.paths ?? null;
  }

  begin(part: string, paths: readonly string[]): void {
    const opened = openPlainFile(this.#path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
    if (!opened.ok) throw new Error(`${toPrintable(this.#path)} ${opened.error}.`);
    try {
      appendFileSync(opened.value, `${JSON.stringify({ plan: this.#planId, part, paths })}\n`, { flush: true });
    } finally {
      closeSync(opened.value);
    }
  }
}

const MAX_JOURNAL_BYTES = 64 * 1024 ** 2;
const lineShape = z.object({ plan: z.string(), part: z.string(), paths: z.array(z.string()) });

/** Null for a line that a killed run has not ended. */
function entryOf(line: string) {
  try {
    return lineShape.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
