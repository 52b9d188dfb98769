import { isUtf8 } from 'node:buffer';
import { type Dirent, lstatSync, opendirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readOpenFile, useFolderFile } from '../../core/base/bounded-file.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { compareTexts } from '../../core/base/text.ts';
import { MAX_FILE_BYTES } from './document.ts';
import { checkDocument, listProblems, type Problem, shownValue } from './file.ts';
import { type KnowledgeBase, OPTIONS_OF_STATUSES } from './format.ts';
import { type Field, parseYamlFields, splitMarkdown } from './front-matter.ts';

/** What a folder does not tell. */
export interface FolderOptions {
  /** The ID of the project version of all articles. */
  readonly projectVersionId: string;
  /** The codes of the languages, the default one first. */
  readonly languages: readonly string[];
}

interface MarkdownFolder {
  readonly knowledgeBase: KnowledgeBase;
  /** Sentences about what was found and has no effect. */
  readonly notes: readonly string[];
}

/** The most files that are read, others, and levels of folders. */
const [MAX_FILES, MAX_OTHERS, MAX_DEPTH] = [20_000, 200_000, 32];

/** The most names of fields in a sentence, and characters of one. */
const [MAX_NAMED, MAX_NAME] = [20, 60];

const TOO_LARGE = `Nothing was read: the folder has more than ${MAX_FILES} Markdown files, ${MAX_OTHERS} others, ${MAX_DEPTH} levels or ${MAX_FILE_BYTES / 1024 ** 2} MiB.`;

const MARKDOWN_FILE = /\.(?:md|markdown)$/iu;

/** These may name the category of their folder, as in Docusaurus. */
const CATEGORY_FILES = ['_category_.yml', '_category_.yaml', '_category_.json'];

type Members = ReadonlyMap<string, string>;

/** The members of an article by the fields that set them. Docusaurus has `sidebar_position`. */
const ARTICLE_MEMBERS: Members = new Map([
  ['articleId', 'id'],
  ['languageCode', 'lang_code'],
  ['title', 'title'],
  ['categoryId', 'category_id'],
  ['hidden', 'hidden'],
  ['order', 'order'],
  ['sidebar_position', 'order'],
  ['slug', 'slug'],
  ['translationStatus', 'translation_option'],
]);

const CATEGORY_MEMBERS: Members = new Map([
  ['categoryId', 'id'],
  ['label', 'name'],
  ['position', 'order'],
]);

/** A file with what it says, and nothing else. */
export interface MarkdownFile {
  /** The path below the folder. */
  readonly path: string;
  readonly text: string;
  /** The text without front matter and heading. */
  readonly content: string;
  /** What the front matter and the heading say, by the members that they set. */
  readonly fields: ReadonlyMap<string, Field>;
  /** What the front matter says, or else the ending or the first folder. */
  readonly languageCode: unknown;
  /** What the front matter says, or else the file of its folder. */
  readonly categoryId: unknown;
  /** What the front matter says, or else the name of the file. */
  readonly slug: unknown;
}

/** An entry of the document that is not checked yet. */
interface Entry {
  readonly file: string;
  /** The fields of the file by the members that they set. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly members: JsonObject;
}

/**
 * Reads a folder of Markdown files as a knowledge base: see docs/contract.md, "A folder of Markdown". Links are not
 * followed. The error lists all problems. Throws with a message for people where the folder cannot be read or is too large.
 */
export function readMarkdownFolder(root: string, options: FolderOptions): Result<MarkdownFolder, string> {
  const { folder, leftOut } = readFolder(root, options);
  return folder.end(leftOut);
}

/** Reads the same files by the same rules, one after another. The problems and notes are lines for people. */
export function readMarkdownFiles(
  root: string,
  languages: FolderOptions['languages'],
  onFile: (file: MarkdownFile) => void,
) {
  const { folder, leftOut } = readFolder(root, { projectVersionId: '', languages }, onFile);
  return { problems: folder.problems, notes: folder.notes(leftOut) };
}

function readFolder(given: string, options: FolderOptions, onFile: (file: MarkdownFile) => void = () => {}) {
  // The folder itself may be a link: it is the caller who names it.
  const root = realpathSync(given);
  const files: string[] = [];
  const links: string[] = [];
  let others = 0;
  for (const { path, kind } of filesBelow(root)) {
    if (kind === 'file') files.push(path);
    else if (kind === 'link') links.push(path);
    else others += 1;
    if (files.length > MAX_FILES || others + links.length > MAX_OTHERS) throw new Error(TOO_LARGE);
  }
  const languageRank = (path: string) => options.languages.indexOf(path.split('/', 1)[0] ?? '');
  // Categories that several languages have are named in the first one.
  files.sort((one, other) => languageRank(one) - languageRank(other) || compareTexts(one, other));
  const folder = new FolderReader(root, options, new Set(files.filter((path) => !MARKDOWN_FILE.test(path))));
  for (const path of files) if (MARKDOWN_FILE.test(path)) onFile(folder.addArticle(path));
  return { folder, leftOut: { links: links.sort(compareTexts), others } };
}

/** What has no effect. */
interface LeftOut {
  /** The paths of links, which are not followed, and of files that have another name. */
  readonly links: readonly string[];
  /** How many files are no Markdown. */
  readonly others: number;
}

interface FoundFile {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'other';
}

/** The files below a folder, one after another, since it may have millions. Names that begin with a dot or `_` are not for readers. */
function* filesBelow(root: string, folder = ''): Generator<FoundFile> {
  if (folder.split('/').length > MAX_DEPTH) throw new Error(TOO_LARGE);
  const entries = opendirSync(join(root, folder));
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const { name } = entry;
      if (/^[._]|^node_modules$/u.test(name) && !CATEGORY_FILES.includes(name)) continue;
      const path = `${folder}${name}`;
      if (entry.isDirectory()) yield* filesBelow(root, `${path}/`);
      else yield { path, kind: kindOf(root, path, entry) };
    }
  } finally {
    entries.closeSync();
  }
}

function kindOf(root: string, path: string, entry: Dirent): FoundFile['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (!entry.isFile() || !(CATEGORY_FILES.includes(entry.name) || MARKDOWN_FILE.test(path))) return 'other';
  return lstatSync(join(root, path)).nlink > 1 ? 'link' : 'file';
}

class FolderReader {
  readonly #root: string;
  readonly #options: FolderOptions;
  readonly #categoryFiles: ReadonlySet<string>;
  /** Lines for people. */
  readonly problems: string[] = [];
  /** By their folders, without that of the language. */
  readonly #categories = new Map<string, Entry>();
  /** The texts of each article, by its ID. */
  readonly #articles = new Map<string, Entry[]>();
  readonly #unused = new Set<string>();
  #bytes = 0;

  constructor(root: string, options: FolderOptions, categoryFiles: ReadonlySet<string>) {
    this.#root = root;
    this.#options = options;
    this.#categoryFiles = categoryFiles;
  }

  addArticle(path: string): MarkdownFile {
    const { languages } = this.#options;
    const text = this.#read(path);
    const { frontMatter, heading, content } = splitMarkdown(text);
    const fields = this.#fieldsOf(path, ARTICLE_MEMBERS, { yaml: frontMatter, firstLine: 2 });
    if (heading) fields.set('title', { name: 'heading', ...heading });
    const folders = path.replace(MARKDOWN_FILE, '').split('/');
    const name = folders.pop() ?? '';
    const folderLanguage = languages.find((code) => code === folders[0]);
    const fileLanguage = languages.find((code) => name.endsWith(`.${code}`));
    const languageFolder = folderLanguage === undefined ? '' : `${folders.shift()}/`;
    const { stem, order } = numbered(fileLanguage === undefined ? name : name.slice(0, -1 - fileLanguage.length));
    const members = {
      id: idOf([...folders, stem]),
      lang_code: fileLanguage ?? folderLanguage ?? languages[0],
      title: titleFrom(stem),
      category_id: this.#categoryOf(folders, languageFolder),
      hidden: false,
      order,
      slug: stem,
      content,
      ...valuesOf(fields),
    };
    const said = (member: string, other?: unknown) => fields.get(member)?.value ?? other;
    const id = String(members.id);
    const texts = this.#articles.get(id) ?? [];
    const same = texts.find((text) => text.members['lang_code'] === members.lang_code);
    if (same) this.problems.push(`${path}: is the article ${id} in ${members.lang_code}, as ${same.file} is`);
    this.#articles.set(id, [...texts, { file: path, fields, members }]);
    return {
      ...{ path, text, content, fields },
      languageCode: said('lang_code', fileLanguage ?? folderLanguage),
      categoryId: said('category_id', this.#categories.get(folders.join('/'))?.fields.get('id')?.value),
      slug: said('slug', stem),
    };
  }

  /** The ID of the category of a folder; null for the folder that is imported. */
  #categoryOf(folders: readonly string[], languageFolder: string): unknown {
    const path = folders.join('/');
    const known = this.#categories.get(path);
    if (known || path === '') return known?.members['id'] ?? null;
    const inFolder = CATEGORY_FILES.map((name) => `${languageFolder}${path}/${name}`);
    const file = inFolder.find((name) => this.#categoryFiles.has(name)) ?? null;
    const yaml = file === null ? '' : this.#read(file);
    const fields = this.#fieldsOf(file ?? path, CATEGORY_MEMBERS, { yaml, firstLine: 1 });
    const { stem, order } = numbered(folders.at(-1) ?? '');
    const parent = this.#categoryOf(folders.slice(0, -1), languageFolder);
    const members = {
      id: idOf(folders),
      parent_category_id: parent,
      name: titleFrom(stem),
      order,
      ...valuesOf(fields),
    };
    this.#categories.set(path, { file: file ?? `${languageFolder}${path}`, fields, members });
    return members.id;
  }

  #read(path: string): string {
    const bounds = { maxBytes: MAX_FILE_BYTES - this.#bytes };
    const read = useFolderFile({ folder: this.#root, path }, 'read', (file) => readOpenFile(file, bounds));
    const bytes = read.ok ? read.value : Buffer.of();
    this.#bytes += bytes.length;
    if (!read.ok) this.problems.push(`${path}: ${read.error}`);
    if (!isUtf8(bytes)) this.problems.push(`${path}: is not UTF-8`);
    return bytes.toString();
  }

  #fieldsOf(
    path: string,
    members: Members,
    { yaml, firstLine }: { readonly yaml: string; readonly firstLine: number },
  ) {
    const fields = new Map<string, Field>();
    const parsed = parseYamlFields(yaml, firstLine);
    if (!parsed.ok) this.problems.push(`${path}, line ${parsed.error.line}: ${parsed.error.message}`);
    for (const field of parsed.ok ? parsed.value : []) {
      const member = members.get(field.name);
      if (member === undefined) this.#noteUnused(field.name);
      else if (field.value !== undefined) fields.set(member, field);
    }
    return fields;
  }

  #noteUnused(name: string): void {
    if (this.#unused.size < MAX_OTHERS) this.#unused.add(name.slice(0, MAX_NAME));
  }

  end(leftOut: LeftOut): Result<MarkdownFolder, string> {
    const { projectVersionId: project_version_id, languages } = this.#options;
    const rankOf = ({ members }: Entry) => languages.indexOf(String(members['lang_code']));
    const categories = [...this.#categories.values()];
    const articles = [...this.#articles.values()].map((texts) => texts.toSorted((a, b) => rankOf(a) - rankOf(b)));
    for (const { fields } of articles.flatMap(([, ...rest]) => rest))
      for (const member of ARTICLE_WIDE) if (fields.has(member)) this.#noteUnused(fields.get(member)?.name ?? '');
    if (articles.length === 0) return err('the folder has no files that end in .md or .markdown');
    const checked = checkDocument({
      project_versions: [{ id: project_version_id, name: project_version_id, is_default: false }],
      languages: languages.map((code) => ({ project_version_id, code, name: code, is_default: false })),
      categories: categories.map(({ members }) => ({ project_version_id, ...members })),
      articles: articles.map((texts) => articleOf(texts, project_version_id)),
    });
    // Texts of one article in one language were found above.
    const found = checked.ok ? [] : checked.error.filter(([keys]) => keys.at(-1) !== 'version_number');
    const lines = found.map((problem) => placed(problem, { categories, articles }));
    const problems = [...this.problems, ...lines];
    if (!checked.ok || problems.length > 0) return err(listProblems(problems, String));
    return ok({ knowledgeBase: checked.value, notes: this.notes(leftOut) });
  }

  notes({ links, others }: LeftOut): readonly string[] {
    const names = [...this.#unused].sort(compareTexts);
    return [
      ...(links.length > 0 ? [`Left out, since links are not followed: ${firstOf(links)}.`] : []),
      ...(others > 0 ? [`Left out: ${others} files that are no Markdown.`] : []),
      ...(names.length > 0 ? [`Fields that have no effect: ${firstOf(names)}.`] : []),
    ];
  }
}

const firstOf = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '');

/** An article has these once. The text in the first language tells them. */
const ARTICLE_WIDE = ['category_id', 'hidden', 'order', 'slug'] as const;

function articleOf(texts: readonly Entry[], project_version_id: string): JsonObject {
  const versions = texts.map(({ members: { lang_code, title, content, translation_option } }) => ({
    ...{ lang_code, version_number: 1, title, content, translation_option },
  }));
  const { id, category_id, slug, order, hidden } = texts[0]?.members ?? {};
  return { id, project_version_id, category_id, slug, order, hidden, content_type: 'markdown', versions };
}

interface Places {
  readonly categories: readonly Entry[];
  readonly articles: readonly (readonly Entry[])[];
}

/** A problem of the document as a line that names the file, and where it has the value, the line. */
function placed([keys, message]: Problem, { categories, articles }: Places): string {
  const [list, index, , text] = keys;
  const entry = list === 'articles' ? articles[Number(index)]?.[Number(text ?? 0)] : categories[Number(index)];
  const member = String(keys.at(-1));
  const field = entry?.fields.get(member);
  const rule =
    member === 'translation_option' ? `must be one of ${[...OPTIONS_OF_STATUSES.keys()].join(', ')}` : message;
  const readable = rule.replace(/\bcategories\[(\d+)\]/u, (_, other) => categories[other]?.file ?? '');
  if (field === undefined) return `${entry?.file ?? String(list)}: ${member} ${readable}`;
  const shown = shownValue(field.value).map((value) => ` (${value})`);
  return `${entry?.file}, line ${field.line}: ${field.name} ${readable}${shown.join('')}`;
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map([['true', true] as const, ['false', false] as const]);

/** The values of members in the document. A value of another type stays as it is, which is a problem then. */
function valuesOf(fields: ReadonlyMap<string, Field>): JsonObject {
  const parse = (member: string, { value }: Field): unknown => {
    if (typeof value !== 'string') return value;
    if (member === 'hidden') return FLAGS.get(value.toLowerCase()) ?? value;
    if (member === 'order') return /^-?\d{1,15}$/u.test(value) ? Number(value) : value;
    return member === 'translation_option' ? (OPTIONS_OF_STATUSES.get(value) ?? value) : value;
  };
  return Object.fromEntries([...fields].map(([member, field]) => [member, parse(member, field)]));
}

/** A number before a name, as in `01-intro`, is its order and no part of the name. A date or a version is none. */
function numbered(name: string): { readonly stem: string; readonly order: number | null } {
  const [, number, stem = name] = /^(\d{1,4})[-_. ]+(?=[^-_. \d])(.+)$/su.exec(name) ?? [];
  // Some systems write accents as characters of their own.
  return { stem: stem.normalize(), order: number === undefined ? null : Number(number) };
}

const idOf = (names: readonly string[]): string => names.map((name) => numbered(name).stem).join('.');

/** `pair-a-lamp` as `Pair a lamp`. */
const titleFrom = (stem: string): string =>
  stem.replace(/^./u, (first) => first.toUpperCase()).replaceAll(/[-_]+/gu, ' ');
