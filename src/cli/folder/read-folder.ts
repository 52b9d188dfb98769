import { isUtf8 } from 'node:buffer';
import { titleProblem } from '../../core/articles/article-creations.ts';
import { readOpenFile, useFolderFile } from '../../core/base/bounded-file.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { compareTexts, textProblem } from '../../core/base/text.ts';
import { CATEGORY_FILES, IMPORTANT_FIELDS, INDEX_STEMS } from './conventions.ts';
import { flagOf, OWN_SLUG, readFileFields } from './file-fields.ts';
import { type FolderNames, type LeftOut, MARKDOWN_FILE, type NameOptions, readFolderNames } from './folder-names.ts';
import { readYamlFields, splitFrontMatter } from './front-matter.ts';
import { type FolderLink, readMarkdownText } from './markdown-text.ts';

/** One file with what it says. Absent members are not said. */
export interface FolderText {
  readonly path: string;
  readonly language: string;
  readonly title: string;
  readonly content: string;
  /** Why it must not be published, as the rest of a sentence; null where it may. */
  readonly draft: string | null;
  readonly articleId?: string | undefined;
  readonly slug?: string | undefined;
  readonly categoryId?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly order?: number | undefined;
  readonly translationStatus?: string | undefined;
}

/** The files of one article, the default language first where it has that. */
export interface FolderArticle {
  /** The folder without that of the language; '' for the folder itself. */
  readonly folder: string;
  readonly texts: readonly FolderText[];
}

export interface FolderCategory {
  /** The folder without that of the language. */
  readonly folder: string;
  readonly name: string;
  readonly order: number | undefined;
  readonly categoryId: string | undefined;
}

export interface FolderReading {
  readonly convention: string;
  readonly articles: readonly FolderArticle[];
  /** Those above come first. */
  readonly categories: readonly FolderCategory[];
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
  readonly others: ReadonlyMap<string, number>;
  /** The fields without effect with the numbers of their files, the important ones first. */
  readonly unusedFields: readonly (readonly [name: string, files: number])[];
  readonly links: readonly (FolderLink & { readonly path: string })[];
  /** Sentences about what is there and has no effect. */
  readonly notes: readonly string[];
}

export interface ReadOptions extends NameOptions {
  /** The codes of the languages of the project version, the default one first. */
  readonly languages: readonly string[];
  readonly now: Date;
}

/** The file does not say which letters the other bytes are: see `docs/decisions/0057-sheets.md`. */
const NO_UTF_8 = 'is not UTF-8, so its letters are uncertain: save it as UTF-8';

/** Bytes of one file, and of all texts. */
const MAX_FILE_BYTES = 8 * 1024 ** 2;
const MAX_FOLDER_BYTES = 256 * 1024 ** 2;
const MAX_LINKS = 100_000;

/**
 * Reads a folder of Markdown as its generator does: see docs/own-files.md. A file that can't be read is among those left
 * out. Throws with a message for people where the folder can't be read or is too large.
 */
export function readFolder(folder: string, options: ReadOptions): FolderReading {
  const names = readFolderNames(folder, options);
  const reader = new FolderReader(names, options);
  for (const path of names.pages) reader.add(path);
  return reader.end();
}

interface ReadText {
  readonly text: FolderText;
  readonly links: readonly FolderLink[];
  readonly hasText: boolean;
}

interface Place {
  readonly folders: readonly string[];
  readonly stem: string;
  readonly language: string;
}

class FolderReader {
  readonly #names: FolderNames;
  readonly #options: ReadOptions;
  readonly #leftOut: LeftOut[];
  readonly #texts = new Map<string, { readonly place: Place; readonly texts: FolderText[] }>();
  /** What the files of folders say about their categories: by folder and language, the first that names it. */
  readonly #naming = new Map<string, CategoryNaming>();
  readonly #unused = new Map<string, number>();
  readonly #links: (FolderLink & { readonly path: string })[] = [];
  readonly #strayLanguages = new Map<string, number>();
  readonly #withCode: string[] = [];
  readonly #numbered: ReadonlySet<string>;
  readonly #hasLanguages: boolean;
  #bytes = 0;

  constructor(names: FolderNames, options: ReadOptions) {
    this.#names = names;
    this.#options = options;
    this.#leftOut = [...names.leftOut];
    const numbered = names.convention.numbersAreOrder ? numberedNames(names.pages) : [];
    this.#numbered = new Set([...numbered].flatMap((path) => [path, this.#withoutLanguage(path)]));
    this.#hasLanguages = names.pages.some((path) => this.#languageOf(path.split('/')[0] ?? '') !== undefined);
  }

  add(path: string): void {
    const place = this.#placeOf(path);
    const read = place.ok ? this.#read(path, place.value) : place;
    if (place.ok && read.ok) this.#addText(place.value, read.value);
    else this.#leaveOut(path, read.ok ? '' : read.error, place.ok);
  }

  #addText(place: Place, { text, links, hasText }: ReadText): void {
    const { folders, stem, language } = place;
    const { path } = text;
    const isIndex = INDEX_STEMS.includes(stem.toLowerCase());
    if (isIndex && folders.length > 0) this.#nameCategory(place, text);
    if (isIndex && !hasText) {
      this.#leaveOut(path, 'it names its category, and has no text', false);
      return;
    }
    // macOS may have changed the Unicode normal form of one of the names.
    const key = [...folders, isIndex && stem.startsWith('_') ? 'index' : stem].join('/').normalize();
    const known = this.#texts.get(key) ?? { place, texts: [] };
    const same = known.texts.find((one) => one.language === language);
    if (same !== undefined) {
      this.#leaveOut(path, `it is the same page in ${language} as ${same.path}`, true);
      return;
    }
    known.texts.push(text);
    this.#texts.set(key, known);
    if (this.#links.length < MAX_LINKS) this.#links.push(...links.map((link) => ({ ...link, path })));
  }

  #leaveOut(path: string, reason: string, isProblem: boolean): void {
    this.#leftOut.push({ path, reason, isProblem });
  }

  /** The language of a code in any case, also of one with `_`, as Crowdin names folders. */
  #languageOf(code: string): string | undefined {
    const wanted = code.replaceAll('_', '-').toLowerCase();
    return this.#options.languages.find((language) => language.toLowerCase() === wanted);
  }

  #withoutLanguage(path: string): string {
    const [first = '', ...rest] = path.split('/');
    return this.#languageOf(first) === undefined ? path : rest.join('/');
  }

  /** Where a file belongs: its folder without that of the language, and its name without order, language and ending. */
  #placeOf(path: string): Result<Place, string> {
    const translation = this.#names.convention.translationOf?.(path) ?? null;
    if (translation !== null) return this.#translationPlace(translation);
    const folders = path.replace(MARKDOWN_FILE, '').split('/');
    const name = folders.pop() ?? '';
    const [first = ''] = folders;
    const folderLanguage = this.#languageOf(first);
    if (folderLanguage === undefined && LANGUAGE.test(first) && folders.length > 0 && isLanguage(first)) {
      this.#strayLanguages.set(first, (this.#strayLanguages.get(first) ?? 0) + 1);
      if (this.#hasLanguages) return err(`${first} is a language that the project version does not have`);
    }
    const suffix = /\.(?<code>[a-z]{2,3}(?:[-_][a-z\d]{2,8})*)$/iu.exec(name)?.groups?.['code'];
    const fileLanguage = suffix === undefined ? undefined : this.#languageOf(suffix);
    return ok({
      folders: folderLanguage === undefined ? folders : folders.slice(1),
      stem: fileLanguage === undefined ? name : name.slice(0, -1 - (suffix?.length ?? 0)),
      language: fileLanguage ?? folderLanguage ?? this.#options.languages[0] ?? '',
    });
  }

  #translationPlace({ code, path }: { readonly code: string; readonly path: string }): Result<Place, string> {
    const language = this.#languageOf(code);
    if (language === undefined) return err(`${code} is a language that the project version does not have`);
    const folders = path.replace(MARKDOWN_FILE, '').split('/');
    const stem = folders.pop() ?? '';
    return ok({ folders, stem, language });
  }

  #bytesOf(path: string): Result<string, string> {
    const maxBytes = Math.min(MAX_FILE_BYTES, MAX_FOLDER_BYTES - this.#bytes);
    const read = useFolderFile({ folder: this.#names.root, path }, (file) => readOpenFile(file, { maxBytes }));
    if (!read.ok) return read;
    this.#bytes += read.value.length;
    return isUtf8(read.value) ? ok(read.value.toString()) : err(NO_UTF_8);
  }

  #read(path: string, { folders, stem, language: ofPlace }: Place): Result<ReadText, string> {
    const bytes = this.#bytesOf(path);
    const parts = bytes.ok ? splitFrontMatter(bytes.value) : bytes;
    if (!parts.ok) return parts;
    const date = this.#names.convention.dateOfPath?.(path);
    const said = readFileFields(parts.value.fields, { now: this.#options.now, date });
    if (!said.ok) return said;
    for (const name of said.value.unused) this.#note(name);
    const { values, draft } = said.value;
    const given = values.languageCode;
    const language = given === undefined ? ofPlace : this.#languageOf(given);
    if (language === undefined) return err(`has a languageCode ${given}, which the project version does not have`);
    const isMdx = /\.mdx$/iu.test(path);
    const named = values.title === '' ? undefined : values.title;
    const parsed = readMarkdownText({ body: parts.value.body, title: named, isMdx });
    if (!parsed.ok) return parsed;
    const markdown = parsed.value;
    if (markdown.hasCode) this.#withCode.push(path);
    const order = this.#orderOf(path, values.order);
    const title = named ?? markdown.heading ?? this.#titleOfName(path, { folders, stem });
    const problem = textProblemOf({ title, content: markdown.content });
    if (problem !== null) return err(problem);
    const isInDrafts = path.split('/').includes('_drafts');
    const text: FolderText = {
      ...values,
      path,
      language,
      title,
      content: markdown.content,
      draft: isInDrafts ? 'it is in _drafts' : draft,
      order: order.value,
      hidden: flagOf(values.hidden ?? '') ?? undefined,
    };
    const hasText = markdown.content.trim() !== '';
    const offset = parts.value.bodyLine - 1;
    return ok({ text, hasText, links: markdown.links.map((link) => ({ ...link, line: link.line + offset })) });
  }

  #titleOfName(path: string, { folders, stem }: Pick<Place, 'folders' | 'stem'>): string {
    const name = INDEX_STEMS.includes(stem.toLowerCase()) ? (folders.at(-1) ?? stem) : stem;
    const date = this.#names.convention.dateOfPath?.(path) ?? null;
    if (date !== null) return titleFrom(name.slice(`${date}-`.length) || name);
    return titleFrom(this.#numbered.has(path) ? withoutNumber(name) : name);
  }

  #orderOf(path: string, given: string | undefined): { readonly value: number | undefined } {
    const order = wholeNumberOf(given);
    if (order === 0 && !this.#names.convention.zeroIsOrder) return { value: undefined };
    if (order !== undefined) return { value: order };
    if (given !== undefined) this.#note(NO_ORDER);
    return { value: this.#numbered.has(path) ? numberOf(path.split('/').at(-1) ?? '') : undefined };
  }

  #note(name: string): void {
    if (this.#unused.size < MAX_LINKS || this.#unused.has(name))
      this.#unused.set(name, (this.#unused.get(name) ?? 0) + 1);
  }

  #nameCategory({ folders, stem, language }: Place, { title, order }: FolderText): void {
    const rank = INDEX_STEMS.indexOf(stem.toLowerCase());
    const key = `${folders.join('/')}\n${language}`;
    const known = this.#naming.get(key);
    if (known === undefined || rank < known.rank) this.#naming.set(key, { rank, name: title, order });
  }

  end(): FolderReading {
    const { languages } = this.#options;
    const rankOf = ({ language }: FolderText) => languages.indexOf(language);
    const articles = [...this.#texts.values()].map(({ place, texts }) => ({
      folder: place.folders.join('/'),
      texts: texts.toSorted((one, other) => rankOf(one) - rankOf(other)),
    }));
    const categories = this.#categories(articles);
    const placed = withOrdersFromOne(articles, categories);
    const unused = [...this.#unused].toSorted(
      ([one, count], [other, otherCount]) =>
        importance(other) - importance(one) || otherCount - count || compareTexts(one, other),
    );
    return {
      convention: this.#names.convention.name,
      ...placed,
      files: this.#names.pages.length + this.#names.leftOut.filter(({ path }) => MARKDOWN_FILE.test(path)).length,
      leftOut: this.#leftOut.toSorted((one, other) => compareTexts(one.path, other.path)),
      others: this.#names.others,
      unusedFields: unused,
      links: this.#links,
      notes: this.#notes(categories),
    };
  }

  #categories(articles: readonly FolderArticle[]): readonly FolderCategory[] {
    const folders = new Set(articles.flatMap(({ folder }) => parentsOf(folder)));
    const [main = ''] = this.#options.languages;
    return [...folders].toSorted(compareTexts).map((folder) => {
      const name = folder.split('/').at(-1) ?? '';
      const file = this.#categoryFile(folder, main);
      const naming = this.#naming.get(`${folder}\n${main}`);
      const isNumbered = this.#numbered.has(folder);
      return {
        folder,
        name: file.name ?? naming?.name ?? titleFrom(isNumbered ? withoutNumber(name) : name.replace(/^_/u, '')),
        order: file.order ?? naming?.order ?? (isNumbered ? numberOf(name) : undefined),
        categoryId: file.categoryId,
      };
    });
  }

  /** What the category file of a folder says, in the folder of the language or in that without one. */
  #categoryFile(folder: string, language: string) {
    const inFolders = [folder, ...this.#names.pages.slice(0, 1).flatMap(() => [`${language}/${folder}`])];
    const paths = inFolders.flatMap((one) => CATEGORY_FILES.map((name) => `${one}/${name}`));
    const path = paths.find((one) => this.#names.categoryFiles.has(one));
    if (path === undefined) return {};
    const bytes = this.#bytesOf(path);
    const fields = bytes.ok ? readYamlFields(bytes.value, 1) : bytes;
    if (!fields.ok) this.#leaveOut(path, fields.error, true);
    const said = new Map((fields.ok ? fields.value : []).map(({ name, value }) => [name, value]));
    const label = said.get('label') || undefined;
    const problem = label === undefined ? null : titleProblem(label);
    if (problem !== null) this.#leaveOut(path, `its label ${problem}`, true);
    return {
      name: problem === null ? label : undefined,
      order: wholeNumberOf(said.get('position')),
      categoryId: said.get('categoryId'),
    };
  }

  #notes(categories: readonly FolderCategory[]): readonly string[] {
    const [main = ''] = this.#options.languages;
    const otherNames = [...this.#naming].flatMap(([key, { name }]) => {
      const [folder = '', language = ''] = key.split('\n');
      const own = categories.find((category) => category.folder === folder)?.name;
      return language === main || own === undefined || own === name ? [] : [`${folder} (${language}: ${name})`];
    });
    const strays = this.#hasLanguages ? [] : [...this.#strayLanguages];
    return [
      ...(otherNames.length > 0
        ? [`Names of categories in other languages can't be written: ${listed(otherNames)}.`]
        : []),
      ...strays.map(
        ([code, count]) =>
          `${code} looks like a language that the project version does not have; its ${count} files are taken for articles in ${main}.`,
      ),
      ...(this.#withCode.length > 0
        ? [
            `${this.#withCode.length} files of MDX have components or code, which readers see as they are: ${listed(this.#withCode)}.`,
          ]
        : []),
    ];
  }
}

/** Why the gateway would refuse a text, with all that are sent beside it, as the rest of a sentence; null where it takes it. */
function textProblemOf({ title, content }: Pick<FolderText, 'title' | 'content'>): string | null {
  const wrongTitle = titleProblem(title);
  if (wrongTitle !== null) return `its title ${wrongTitle}`;
  const wrongContent = textProblem(content);
  return wrongContent === null ? null : `its text ${wrongContent}`;
}

type PlacedFolder = Pick<FolderReading, 'articles' | 'categories'>;

/**
 * The position that a service calls the first is 1. Where a folder begins below that, all positions in it are raised, so
 * that their sequence stays.
 */
function withOrdersFromOne(articles: PlacedFolder['articles'], categories: PlacedFolder['categories']): PlacedFolder {
  const lowest = new Map<string, number>();
  const note = (parent: string, { order }: { readonly order?: number | undefined }) => {
    if (order !== undefined) lowest.set(parent, Math.min(order, lowest.get(parent) ?? order));
  };
  for (const { folder, texts } of articles) for (const text of texts) note(folder, text);
  for (const category of categories) note(parentOf(category.folder), category);
  const raised = (parent: string, order: number | undefined) =>
    order === undefined ? undefined : order + Math.max(0, 1 - (lowest.get(parent) ?? 1));
  return {
    articles: articles.map(({ folder, texts }) => ({
      folder,
      texts: texts.map((text) => ({ ...text, order: raised(folder, text.order) })),
    })),
    categories: categories.map((category) => ({
      ...category,
      order: raised(parentOf(category.folder), category.order),
    })),
  };
}

const parentOf = (folder: string): string => folder.slice(0, Math.max(0, folder.lastIndexOf('/')));

const wholeNumberOf = (text = ''): number | undefined =>
  /^-?\d{1,9}(?:\.0+)?$/u.test(text) ? Number(text) : undefined;

interface CategoryNaming {
  readonly rank: number;
  readonly name: string;
  readonly order: number | undefined;
}

const MAX_NAMED = 20;

export const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '');

const NO_ORDER = 'order that is no whole number';

const importance = (name: string): number =>
  IMPORTANT_FIELDS.has(name) || name === OWN_SLUG || name === NO_ORDER ? 1 : 0;

const LANGUAGE = /^[a-z]{2,3}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/iu;

const isLanguage = (code: string): boolean => {
  const [base = ''] = code.toLowerCase().split(/[-_]/u);
  return (
    base.length === 2 && new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(base) !== undefined
  );
};

const NUMBERED = /^(?<number>\d{1,3})\s*[-_.]+\s*(?<rest>[^-_.\s\d].*)$/u;

const numberOf = (name: string): number => Number(NUMBERED.exec(name)?.groups?.['number'] ?? 0);

const withoutNumber = (name: string): string => NUMBERED.exec(name)?.groups?.['rest'] ?? name;

export const parentsOf = (folder: string): readonly string[] =>
  folder === '' ? [] : folder.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));

/**
 * The paths of files and folders whose number is an order: all their neighbours have one, which begin at 0 or 1 or have
 * zeros in front, and the names differ without them.
 */
function numberedNames(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths.flatMap(parentsOf));
  const children = Map.groupBy(all, parentOf);
  return new Set([...children.values()].filter(areNumbered).flat());
}

function areNumbered(paths: readonly string[]): boolean {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const found = names
    .filter((name) => !/^(?:_?index|readme)\./iu.test(name))
    .map((name) => NUMBERED.exec(name)?.groups);
  const rests = new Set(found.map((groups) => groups?.['rest'] ?? ''));
  if (found.length === 0 || rests.has('') || rests.size < found.length) return false;
  const numbers = found.map((groups) => groups?.['number'] ?? '');
  if (numbers.some((number) => number.startsWith('0'))) return true;
  return found.length > 1 && Math.min(...numbers.map(Number)) <= 1;
}

/** Converts `pair-a-lamp` to `Pair a lamp`. A name of such signs alone stays. */
const titleFrom = (stem: string): string =>
  stem
    .normalize()
    .replaceAll(/[-_]+/gu, ' ')
    .trim()
    .replace(/^./u, (first) => first.toUpperCase()) || stem;
