import { hash } from 'node:crypto';
import { toPrintable } from '../../core/base/printable.ts';
import { print } from '../../server/process/terminal.ts';
import type { GatewayClient } from '../bulk-update/gateway-client.ts';
import { READ_ARTICLE } from './apply-operations.ts';
import type { LockEntry, LockFile } from './lock-file.ts';
import type { PlanChanges, PlanFile, PlanItem, PlanItemOf } from './plan-file.ts';
import { answerOf, type TargetArticle, targetNameOf } from './target.ts';

interface RunOptions {
  readonly client: GatewayClient;
  readonly plan: PlanFile;
  readonly userId: string;
  /** Null where the folder is not here. */
  readonly lock: LockFile | null;
  /** The file of the plan. */
  readonly path: string;
  /** The articles of each language that the plan writes, as they were when the run began. */
  readonly stored: ReadonlyMap<string, ReadonlyMap<string, TargetArticle>>;
}

type Outcome = 'created' | 'translated' | 'changed' | 'published' | 'hidden' | 'unpublished' | 'unchanged' | 'not done';

export interface KnownFile {
  readonly path: string;
  readonly articleId: string;
  readonly language: string;
}

/** What a run of `apply` knows so far, and keeps in the lock file. */
export class ApplyRun {
  readonly options: RunOptions;
  readonly target: string;
  /** The categories of folders, those that were created included. */
  readonly categories = new Map<string, string>();
  /** The articles of paths that are as planned, and may be published. */
  readonly articles = new Map<string, string>();
  /** The paths that were as planned before. */
  readonly unchanged = new Set<string>();
  readonly counts = new Map<Outcome, number>();

  constructor(options: RunOptions) {
    this.options = options;
    this.target = targetNameOf(options.plan.header.target);
  }

  itemsOf<Kind extends PlanItem['kind']>(kind: Kind): readonly PlanItemOf<Kind>[] {
    return this.options.plan.items.filter((item): item is PlanItemOf<Kind> => item.kind === kind);
  }

  storedOf(language: string, articleId: string): TargetArticle | undefined {
    return this.options.stored.get(language)?.get(articleId);
  }

  get mainLanguage(): string {
    return this.options.plan.header.target.languages[0] ?? '';
  }

  /** A key of this plan for exactly these items. */
  keyOf(items: unknown): string {
    return `apply-${hash('sha256', `${this.options.plan.header.planId} ${JSON.stringify(items)}`)}`;
  }

  count(outcome: Outcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }

  fail(path: string, reason: string): void {
    this.articles.delete(path);
    this.count('not done');
    print(`${toPrintable(path)}: ${toPrintable(reason)}\n`);
  }

  /** Counts files that are as planned now, and keeps them in the lock file. */
  end(files: readonly KnownFile[], outcome: Outcome): void {
    for (const { path, articleId } of files) {
      this.articles.set(path, articleId);
      if (outcome === 'unchanged') this.unchanged.add(path);
      this.count(outcome);
    }
    this.lock(files.map(({ path, articleId: id, language }) => ({ path, id, language })));
  }

  lock(entries: readonly Omit<LockEntry, 'target'>[]): void {
    const { lock } = this.options;
    if (lock === null || entries.length === 0) return;
    lock.set(entries.map((entry) => ({ target: this.target, ...entry })));
    const written = lock.write();
    if (!written.ok) throw new Error(written.error);
  }

  /** The members that are sent; null where their category could not be created. */
  inputOf({ folder, ...set }: PlanChanges): Omit<PlanChanges, 'folder'> | null {
    if (folder === undefined) return set;
    const categoryId = this.categories.get(folder);
    return categoryId === undefined ? null : { ...set, categoryId };
  }

  /** True where the article has a text in the language: the text of another one is none. */
  async isThere(id: string, language: string): Promise<boolean> {
    return (await answerOf(this.options.client, READ_ARTICLE, { id, language })).article !== null;
  }
}

/** The most articles and bytes of a call: the service takes as many articles in one of its own. */
export const CALL_ITEMS = 100;
const CALL_BYTES = 6 * 1024 ** 2;

export type Sent<Item, Input = object> = readonly [item: Item, input: Input];

export function* inParts<Item, Input>(items: readonly Sent<Item, Input>[]): Generator<readonly Sent<Item, Input>[]> {
  let part: Sent<Item, Input>[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item[1]));
    if (part.length === CALL_ITEMS || (part.length > 0 && bytes + size > CALL_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
