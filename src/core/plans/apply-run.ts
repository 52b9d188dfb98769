import type { PlanChanges, PlanFile, PlanItem, PlanItemOf, Sha256 } from './plan-file.ts';
import type { PlanGateway, TargetArticle, WriteOutcome } from './plan-gateway.ts';
import { answeredBy, targetNameOf } from './target.ts';

export interface ApplyOptions {
  readonly gateway: PlanGateway;
  readonly plan: PlanFile;
  readonly userId: string;
  readonly sha256: Sha256;
  /** The articles of paths that an earlier run, or another plan, has kept. */
  readonly locked: ReadonlyMap<string, string>;
  readonly journal: Journal;
  /** The articles of each language that the plan writes, as they were when the run began. */
  readonly stored: ReadonlyMap<string, ReadonlyMap<string, TargetArticle>>;
  /** Called with each outcome as soon as it is known. Publications come after the outcome of their text. */
  readonly onOutcome: (path: string, outcome: Outcome, reason?: string) => void;
  /** Keeps what files and folders have become. It throws where it can't. */
  readonly keep: (entries: readonly KeptEntry[]) => void;
}

/** The creations that have begun, so that a run after this one sends exactly those again. */
export interface Journal {
  /** The paths with which a part has begun; null where it has not. */
  begun(part: string): readonly string[] | null;
  begin(part: string, paths: readonly string[]): void;
}

/** A file, or a folder with `/` at its end, and what it has become. */
export interface KeptEntry {
  readonly target: string;
  readonly path: string;
  readonly id: string;
  readonly language?: string | undefined;
}

/** The text of a `kb-gateway.lock.json` with these entries, each on a line, so that files of this kind can be joined. */
export const keptText = (entries: readonly KeptEntry[]): string =>
  `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`;

const DONE = ['created', 'translated', 'changed', 'published', 'hidden', 'unpublished', 'unchanged'] as const;
type Done = (typeof DONE)[number];

/** Why an item was not done. */
export type NotDone = 'failed' | 'unknown' | 'not attempted';

export type Outcome = Done | NotDone;

export const isDone = (outcome: Outcome): boolean => DONE.some((done) => done === outcome);

export const notDoneOf = ({ __typename: type }: WriteOutcome): NotDone =>
  type.endsWith('Unknown') ? 'unknown' : type.endsWith('NotAttempted') ? 'not attempted' : 'failed';

export interface KnownFile {
  readonly path: string;
  readonly articleId: string;
  readonly language: string;
}

/** One run of a plan: its options, and the categories and articles that it has found or made so far. */
export class ApplyRun {
  readonly options: ApplyOptions;
  readonly target: string;
  /** The categories of folders, those that were created included. */
  readonly categories = new Map<string, string>();
  /** The articles of paths that are as planned, and may be published. */
  readonly articles = new Map<string, string>();
  /** The paths that were as planned before. */
  readonly unchanged = new Set<string>();

  constructor(options: ApplyOptions) {
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
    const { plan, sha256 } = this.options;
    return `apply-${sha256(`${plan.header.planId} ${JSON.stringify(items)}`)}`;
  }

  fail(path: string, reason: string, outcome: NotDone = 'not attempted'): void {
    this.articles.delete(path);
    this.options.onOutcome(path, outcome, reason);
  }

  /** Reports files that are as planned now, and keeps them. */
  end(files: readonly KnownFile[], outcome: Done): void {
    for (const { path, articleId } of files) {
      this.articles.set(path, articleId);
      if (outcome === 'unchanged') this.unchanged.add(path);
      this.options.onOutcome(path, outcome);
    }
    this.keep(files.map(({ path, articleId: id, language }) => ({ path, id, language })));
  }

  keep(entries: readonly Omit<KeptEntry, 'target'>[]): void {
    if (entries.length > 0) this.options.keep(entries.map((entry) => ({ target: this.target, ...entry })));
  }

  /** The members that are sent; null where their category could not be created. */
  inputOf({ folder, ...set }: PlanChanges): Omit<PlanChanges, 'folder'> | null {
    if (folder === undefined) return set;
    const categoryId = this.categories.get(folder);
    return categoryId === undefined ? null : { ...set, categoryId };
  }

  /** True where the article has a text in this language. A text in another language does not count. */
  async isThere(id: string, language: string): Promise<boolean> {
    return answeredBy(await this.options.gateway.article({ id, language })).article !== null;
  }
}

/** The most articles of a call: the service takes as many in one of its own. */
export const CALL_ITEMS = 100;
/** The most bytes of a call. */
const CALL_BYTES = 6 * 1024 ** 2;

const UTF_8 = new TextEncoder();

export type Sent<Item, Input = object> = readonly [item: Item, input: Input];

export function* inParts<Item, Input>(items: readonly Sent<Item, Input>[]): Generator<readonly Sent<Item, Input>[]> {
  let part: Sent<Item, Input>[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = UTF_8.encode(JSON.stringify(item[1])).byteLength;
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
