import { compareTexts } from '../../core/base/text.ts';
import type { KeptEntry } from '../../core/plans/apply-run.ts';
import type { PlanChanges, PlanItem } from '../../core/plans/plan-file.ts';
import type { PlanGateway, StoredCategory, StoredText, TargetArticle } from '../../core/plans/plan-gateway.ts';
import { changeLines } from '../../core/plans/plan-summary.ts';
import {
  isPublic,
  listedRevisionOf,
  listStoredArticles,
  readTexts,
  sameContent,
  type Target,
} from '../../core/plans/target.ts';
import { textDiff } from '../bulk-update/text-diff.ts';
import type { LeftOut } from './folder-names.ts';
import {
  type FolderArticle,
  type FolderCategory,
  type FolderReading,
  type FolderText,
  listed,
  parentsOf,
} from './read-folder.ts';

export interface PlanOptions {
  readonly publish: boolean;
  readonly ifPublished: 'UPDATE' | 'FORK' | 'SKIP';
  /** What becomes of articles whose files are gone. */
  readonly gone: 'hide' | 'unpublish' | null;
}

export interface PlanInput {
  readonly gateway: PlanGateway;
  readonly target: Target;
  readonly reading: FolderReading;
  readonly categories: readonly StoredCategory[];
  readonly locked: readonly KeptEntry[];
  readonly options: PlanOptions;
}

export interface BuiltPlan {
  readonly items: readonly PlanItem[];
  /** The files that matching leaves out, beside those of the reading. */
  readonly leftOut: readonly LeftOut[];
  /** The lines of people for each change, by path. */
  readonly details: ReadonlyMap<string, readonly string[]>;
  readonly notes: readonly string[];
  /** The numbers of articles in the lists that were read, by language. */
  readonly listed: ReadonlyMap<string, number>;
}

/** The article of a file's texts; null where it is new. */
type Match = { readonly articleId: string | null } | { readonly problem: string };

/** Compares the folder with the target, and says what has to be done. Nothing is written. */
export async function buildPlan(input: PlanInput): Promise<BuiltPlan> {
  const { gateway, target, reading } = input;
  const stored = new Map<string, ReadonlyMap<string, TargetArticle>>();
  const [main = ''] = target.languages;
  const used = new Set([main, ...reading.articles.flatMap(({ texts }) => texts.map(({ language }) => language))]);
  for (const { language = main } of input.locked) if (target.languages.includes(language)) used.add(language);
  for (const language of used) stored.set(language, await listStoredArticles(gateway, target, language));
  const builder = new PlanBuilder(input, stored);
  builder.matchAll();
  await builder.compareTexts();
  return builder.end();
}

class PlanBuilder {
  readonly #input: PlanInput;
  readonly #stored: ReadonlyMap<string, ReadonlyMap<string, TargetArticle>>;
  readonly #main: string;
  /** The IDs of categories by folder; null for new ones, undefined where several fit. */
  readonly #categoryIds = new Map<string, string | null | undefined>();
  /** The entries of the lock file by path, and by its Unicode normal form, which macOS may have changed. */
  readonly #locked: ReadonlyMap<string, KeptEntry>;
  /** The categories that folders say are theirs: no other folder is taken for them by its name. */
  readonly #saidCategories: ReadonlySet<string>;
  readonly #items: PlanItem[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #details = new Map<string, readonly string[]>();
  readonly #notes: string[] = [];
  readonly #publicDrafts: string[] = [];
  readonly #hidden: string[] = [];
  /** The files whose texts are there, by the global IDs of these. */
  readonly #compared = new Map<string, FolderText & { readonly folder: string }>();
  readonly #claimed = new Map<string, FolderArticle>();

  constructor(input: PlanInput, stored: ReadonlyMap<string, ReadonlyMap<string, TargetArticle>>) {
    this.#input = input;
    this.#stored = stored;
    this.#main = input.target.languages[0] ?? '';
    this.#locked = new Map([
      ...input.locked.map((entry) => [entry.path.normalize(), entry] as const),
      ...input.locked.map((entry) => [entry.path, entry] as const),
    ]);
    this.#saidCategories = new Set(input.reading.categories.flatMap((category) => this.#saidOf(category)));
    for (const category of input.reading.categories) this.#matchCategory(category);
  }

  #matchCategory(category: FolderCategory): void {
    const { folder, name, order } = category;
    const parent = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : null;
    const id = this.#categoryIdOf(category, parent);
    this.#categoryIds.set(folder, id);
    if (id === undefined) return;
    if (id === null)
      this.#items.push({ kind: 'category', folder, name, parent, ...(order !== undefined && { order }) });
    else this.#items.push({ kind: 'known-category', folder, categoryId: id });
    const current = this.#input.categories.find((one) => one.categoryId === id)?.name ?? name;
    if (current !== name) this.#notes.push(`The category ${current} of ${folder}/ can't be renamed to ${name}.`);
  }

  /** Null for a new category, undefined where several fit. */
  #categoryIdOf({ folder, name, categoryId }: FolderCategory, parent: string | null): string | null | undefined {
    const { categories } = this.#input;
    const parentId = parent === null ? null : this.#categoryIds.get(parent);
    if (parentId === undefined) return undefined;
    const known = this.#saidOf({ folder, categoryId }).find((id) => categories.some((one) => one.categoryId === id));
    if (known !== undefined) return known;
    if (parent !== null && parentId === null) return null;
    const named = categories.filter(
      (one) => one.parentId === parentId && sameName(one.name, name) && !this.#saidCategories.has(one.categoryId),
    );
    return named.length > 1 ? undefined : (named[0]?.categoryId ?? null);
  }

  /** The categories that the file of a folder, or the lock file, names. */
  #saidOf = ({ folder, categoryId }: Pick<FolderCategory, 'folder' | 'categoryId'>) =>
    [categoryId, this.#lockedOf(`${folder}/`)?.id].filter((id) => id !== undefined);

  #lockedOf = (path: string): KeptEntry | undefined => this.#locked.get(path) ?? this.#locked.get(path.normalize());

  matchAll(): void {
    // Files that say their article, or did before, come first: no other file is then taken for that article.
    const said = new Map(this.#input.reading.articles.map((article) => [article, this.#matchBySaid(article)]));
    for (const [article, match] of said) {
      const id = match === null ? null : articleOf(match);
      if (id !== null) this.#claimed.set(id, article);
    }
    const matched = [...said].map(([article, match]) => [article, match ?? this.#matchByName(article)] as const);
    const claims = Map.groupBy(matched, ([, match]) => articleOf(match));
    for (const [article, match] of matched) this.#plan(article, match, claims.get(articleOf(match)) ?? []);
    this.#addGone(
      new Map([...claims].map(([id, of]) => [id, of.flatMap(([{ texts }]) => texts.map(({ language }) => language))])),
    );
  }

  #plan(article: FolderArticle, match: Match, claims: readonly (readonly [FolderArticle, Match])[]): void {
    const id = articleOf(match);
    const other = id === null ? undefined : claims.find(([one]) => one !== article)?.[0].texts[0]?.path;
    if ('problem' in match) this.#leaveOut(article.texts, match.problem);
    else if (other !== undefined) this.#leaveOut(article.texts, `it is the article ${id}, as ${other} is`);
    else if (id === null) this.#create(article);
    else this.#update(article, id);
  }

  #leaveOut(texts: readonly FolderText[], reason: string): void {
    for (const { path } of texts) this.#leftOut.push({ path, reason, isProblem: true });
  }

  /** The article that front matter or the lock file names; null where neither does. */
  #matchBySaid({ texts }: FolderArticle): Match | null {
    const said = new Set(texts.flatMap(({ articleId }) => articleId ?? []));
    const locked = texts.flatMap(({ path }) => this.#lockedOf(path)?.id ?? []);
    const ids = said.size > 0 ? said : new Set(locked.filter((id) => this.#exists(id)));
    const [id] = ids;
    const [lost] = ids.size === 0 ? locked : [];
    if (lost !== undefined) this.#notes.push(`${texts[0]?.path}: its article ${lost} is not there any more.`);
    if (ids.size > 1) return { problem: `its languages are the articles ${[...ids].join(' and ')}` };
    if (id === undefined) return null;
    return this.#exists(id) ? { articleId: id } : { problem: `there is no article ${id} in the project version` };
  }

  #exists(id: string): boolean {
    return [...this.#stored.values()].some((articles) => articles.has(id));
  }

  /** The one article of the category that has the title or the slug; else one whose file has moved. */
  #matchByName({ folder, texts }: FolderArticle): Match {
    const text = texts.find(({ language }) => language === this.#main);
    const categoryId = folder === '' ? null : this.#categoryIds.get(folder);
    if (categoryId === undefined) return { problem: `several categories have the name of ${folder}/` };
    if (text === undefined) return { problem: `it has no text in ${this.#main}, in which an article begins` };
    const isFree = ({ articleId }: TargetArticle) => !this.#claimed.has(articleId);
    const isNew = folder !== '' && categoryId === null;
    const candidates = isNew ? [] : (this.#namedIn(categoryId).get(text.title)?.filter(isFree) ?? []);
    const bySlug = isNew ? [] : (this.#sluggedIn(categoryId).get(slugOf(text))?.filter(isFree) ?? []);
    const found = [...new Set([...candidates, ...bySlug])];
    const fitting = candidates.length === 1 ? candidates : found;
    if (fitting.length > 1)
      return {
        problem: `several articles fit: ${fitting.map(({ articleId }) => articleId).join(', ')}. Say which by articleId`,
      };
    const moved = fitting[0] ?? this.#moved(text.title);
    if (moved !== undefined) this.#claimed.set(moved.articleId, { folder, texts });
    return { articleId: moved?.articleId ?? null };
  }

  #moved(title: string): TargetArticle | undefined {
    const gone = this.#goneEntries().flatMap(({ id }) => this.#stored.get(this.#main)?.get(id) ?? []);
    const same = gone.filter((article) => article.title === title && !this.#claimed.has(article.articleId));
    return same.length === 1 ? same[0] : undefined;
  }

  #paths: ReadonlySet<string> | null = null;

  #goneEntries(): readonly KeptEntry[] {
    const { articles, leftOut } = this.#input.reading;
    this.#paths ??= new Set(
      [...articles.flatMap(({ texts }) => texts), ...leftOut].map(({ path }) => path.normalize()),
    );
    return this.#input.locked.filter(({ path }) => !path.endsWith('/') && !this.#paths?.has(path.normalize()));
  }

  readonly #byTitle = new Map<string | null, Map<string, TargetArticle[]>>();
  readonly #bySlug = new Map<string | null, Map<string, TargetArticle[]>>();

  #namedIn = (categoryId: string | null) => this.#indexOf(this.#byTitle, categoryId, ({ title }) => title);
  #sluggedIn = (categoryId: string | null) =>
    this.#indexOf(this.#bySlug, categoryId, ({ slug }) => slug?.toLowerCase() ?? null);

  #indexOf(
    index: Map<string | null, Map<string, TargetArticle[]>>,
    categoryId: string | null,
    nameOf: (article: TargetArticle) => string | null,
  ): ReadonlyMap<string, readonly TargetArticle[]> {
    if (index.size === 0)
      for (const article of this.#stored.get(this.#main)?.values() ?? []) {
        const id = article.category?.categoryId ?? null;
        const names = index.get(id) ?? new Map<string, TargetArticle[]>();
        const name = nameOf(article);
        if (name !== null) names.set(name, [...(names.get(name) ?? []), article]);
        index.set(id, names);
      }
    return index.get(categoryId) ?? new Map();
  }

  #create({ folder, texts }: FolderArticle): void {
    const [first, ...others] = texts;
    if (first === undefined) return;
    const wide = articleWide(texts);
    if (wide.problem !== null) {
      this.#leaveOut(texts, wide.problem);
      return;
    }
    const set = {
      ...wide.set,
      title: first.title,
      content: first.content,
      ...(wide.set.categoryId === undefined && folder !== '' && { folder }),
      ...(first.translationStatus !== undefined && { translationStatus: first.translationStatus }),
    };
    this.#items.push({
      kind: 'create',
      path: first.path,
      language: first.language,
      publish: this.#mayPublish(first),
      set,
    });
    for (const text of others) this.#translate(text, { articleId: null, of: first.path });
  }

  #translate(text: FolderText, of: { readonly articleId: string | null; readonly of: string | null }): void {
    const { path, language, title, content, translationStatus } = text;
    const set = { title, content, ...(translationStatus !== undefined && { translationStatus }) };
    this.#items.push({
      kind: 'translate',
      path,
      language,
      publish: this.#mayPublish(text),
      ...of,
      revision: null,
      ifRevision: null,
      set,
    });
  }

  #mayPublish = ({ draft }: FolderText): boolean => this.#input.options.publish && draft === null;

  #update({ folder, texts }: FolderArticle, articleId: string): void {
    const wide = articleWide(texts);
    if (wide.problem !== null) {
      this.#leaveOut(texts, wide.problem);
      return;
    }
    for (const [index, text] of texts.entries()) {
      const article = this.#stored.get(text.language)?.get(articleId);
      if (article === undefined) this.#translate(text, { articleId, of: null });
      // What all languages share is set by the first file.
      else
        this.#compared.set(article.id, {
          ...text,
          ...(index === 0 ? wide.set : NOT_SAID),
          folder: index === 0 ? folder : '',
        });
    }
  }

  /** Reads the texts that are there, and plans what differs. */
  async compareTexts(): Promise<void> {
    for await (const stored of readTexts(this.#input.gateway, [...this.#compared.keys()])) {
      const text = this.#compared.get(stored.id);
      if (text !== undefined) this.#compare(text, stored);
      this.#compared.delete(stored.id);
    }
    for (const text of this.#compared.values()) this.#leaveOut([text], 'its article could not be read');
  }

  #compare(text: FolderText & { readonly folder: string }, stored: StoredText): void {
    const { path, language, draft, hidden } = text;
    const { articleId, contentType } = stored;
    const set = this.#changesOf(text, stored);
    const publish = this.#mayPublish(text);
    const isDraftOfPublic = draft !== null && isPublic(stored);
    const isSame = Object.keys(set).length === 0;
    const isFork = this.#input.options.ifPublished === 'FORK';
    if (isDraftOfPublic && (isSame || isFork)) this.#publicDrafts.push(path);
    if (stored.hidden && hidden === undefined && language === this.#main) this.#hidden.push(path);
    if (isSame) this.#addSame(text, stored);
    else if (set.content !== undefined && contentType !== null && contentType !== 'MARKDOWN')
      this.#leaveOut([text], `its article ${articleId} is written with another editor (${contentType})`);
    else if (this.#isSkipped(set, stored))
      this.#leaveOut([text], 'its article is published, which --if-published skip leaves');
    else if (isDraftOfPublic && !isFork) this.#leaveOut([text], `${draft}, and ${PUBLISHED}`);
    else {
      this.#items.push({
        kind: 'change',
        path,
        language,
        articleId,
        of: null,
        revision: listedRevisionOf(stored),
        ifRevision: stored.revision,
        publish,
        set,
      });
      this.#details.set(path, detailsOf(set, stored));
    }
  }

  #addSame(text: FolderText, { articleId, status, revision }: StoredText): void {
    const { path, language } = text;
    const publish = this.#mayPublish(text) && status === 'DRAFT';
    const expected = publish && revision !== null && { ifRevision: revision };
    this.#items.push({ kind: 'same', path, language, articleId, publish, ...expected });
  }

  #isSkipped({ title, content, translationStatus }: PlanChanges, { status }: StoredText): boolean {
    const changesVersion = [title, content, translationStatus].some((value) => value !== undefined);
    return changesVersion && status === 'PUBLISHED' && this.#input.options.ifPublished === 'SKIP';
  }

  #changesOf(text: FolderText & { readonly folder: string }, stored: StoredText): PlanChanges {
    const { title, content, hidden, order, translationStatus } = text;
    const categoryId = text.categoryId ?? (text.folder === '' ? undefined : this.#categoryIds.get(text.folder));
    const moves = categoryId !== undefined && categoryId !== (stored.category?.categoryId ?? null);
    const short = { title, hidden, order, translationStatus };
    const changed = Object.entries(short).filter(
      ([name, value]) => value !== undefined && value !== storedValue(stored, name),
    );
    return {
      ...Object.fromEntries(changed),
      ...(!sameContent(content, stored.content) && { content }),
      ...(moves && (text.categoryId === undefined ? { folder: text.folder } : { categoryId: text.categoryId })),
    };
  }

  /** `claimed` has the languages of the files by their articles. */
  #addGone(claimed: ReadonlyMap<string | null, readonly string[]>): void {
    for (const { path, id: articleId, language = this.#main } of this.#goneEntries()) {
      const article = this.#stored.get(language)?.get(articleId);
      const others = claimed.get(articleId);
      if (article === undefined || others?.includes(language)) continue;
      const { gone } = this.#input.options;
      // Hiding ends an article in all languages, of which this one has other files.
      const isDone = gone === 'hide' ? article.hidden || others !== undefined : !isPublic(article);
      this.#items.push({ kind: 'gone', path, language, articleId, action: isDone ? null : gone });
    }
  }

  end(): BuiltPlan {
    const needed = new Set(this.#items.flatMap((item) => ('set' in item ? parentsOf(item.set.folder ?? '') : [])));
    const items = this.#items.filter((item) => item.kind !== 'category' || needed.has(item.folder));
    return {
      items: items.toSorted(
        (one, other) => RANKS[one.kind] - RANKS[other.kind] || compareTexts(keyOf(one), keyOf(other)),
      ),
      leftOut: this.#leftOut,
      details: this.#details,
      notes: [
        ...this.#notes,
        ...(this.#publicDrafts.length > 0 ? [`Drafts that stay published: ${listed(this.#publicDrafts)}.`] : []),
        ...(this.#hidden.length > 0 ? [`Articles that stay hidden: ${listed(this.#hidden)}.`] : []),
      ],
      listed: new Map([...this.#stored].map(([language, articles]) => [language, articles.size])),
    };
  }
}

const RANKS = {
  'known-category': 0,
  category: 1,
  create: 2,
  translate: 3,
  change: 4,
  same: 5,
  gone: 6,
  'left-out': 7,
} as const satisfies Record<PlanItem['kind'], number>;

const articleOf = (match: Match): string | null => ('articleId' in match ? match.articleId : null);

const keyOf = (item: PlanItem): string => ('path' in item ? item.path : item.folder);

const NOT_SAID = { categoryId: undefined, hidden: undefined, order: undefined } as const;

/** What the files of an article say about all of its languages. Two that say different things are a problem. */
function articleWide(texts: readonly FolderText[]) {
  const set: Partial<
    Record<'categoryId', string | undefined> &
      Record<'hidden', boolean | undefined> &
      Record<'order', number | undefined>
  > = {};
  for (const { path, categoryId, hidden, order } of texts) {
    for (const [name, value, known] of [
      ['categoryId', categoryId, set.categoryId],
      ['hidden', hidden, set.hidden],
    ] as const)
      if (value !== undefined && known !== undefined && value !== known)
        return { set, problem: `${path} says ${name}: ${value}, and another language says ${known}` };
    set.categoryId ??= categoryId;
    set.hidden ??= hidden;
    set.order ??= order;
  }
  const { categoryId, hidden, order } = set;
  const said = {
    ...(categoryId !== undefined && { categoryId }),
    ...(hidden !== undefined && { hidden }),
    ...(order !== undefined && { order }),
  };
  return { set: said, problem: null };
}

const sameName = (one: string, other: string): boolean => one.normalize() === other.normalize();

/** The slug that the file may have been given: that of its front matter, else its name, or its folder's for an index. */
function slugOf({ path, slug }: FolderText): string {
  const parts = path
    .toLowerCase()
    .replace(/\.(?:md|mdx|markdown)$/u, '')
    .split('/');
  const name = parts.pop() ?? '';
  return (slug ?? (/^(?:_?index|readme)$/u.test(name) ? (parts.at(-1) ?? name) : name)).toLowerCase();
}

const PUBLISHED = 'its article is published: only --if-published fork leaves the published text as it is';

const storedValue = (stored: StoredText, name: string): unknown => new Map(Object.entries(stored)).get(name);

const detailsOf = (set: PlanChanges, stored: StoredText): readonly string[] => [
  ...changeLines(set, stored),
  ...(set.content === undefined ? [] : textDiff(stored.content ?? '', set.content)),
];
