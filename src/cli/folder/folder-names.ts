import { type Dir, type Dirent, lstatSync, opendirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, extname, join, matchesGlob } from 'node:path';
import { compareTexts } from '../../core/base/text.ts';
import { CATEGORY_FILES, type Convention, conventionOf, reasonOfName } from './conventions.ts';
import { LOCK_FILE } from './lock-file.ts';

/** A file or a link that is not read. */
export interface LeftOut {
  readonly path: string;
  /** The rest of a sentence about the file. */
  readonly reason: string;
  /** True where the file should have been read: it has a problem, or is not clear. */
  readonly isProblem: boolean;
}

export interface FolderNames {
  /** The real path of the folder. */
  readonly root: string;
  readonly convention: Convention;
  /** The paths of Markdown files that have pages. */
  readonly pages: readonly string[];
  readonly categoryFiles: ReadonlySet<string>;
  readonly leftOut: readonly LeftOut[];
  readonly others: ReadonlyMap<string, number>;
}

export interface NameOptions {
  /** Patterns of paths that are read whatever the convention says, and that are not read. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The most Markdown files, other files, and levels of folders. */
const MAX_FILES = 100_000;
const MAX_OTHERS = 1_000_000;
const MAX_DEPTH = 64;
const TOO_LARGE = `the folder has more than ${MAX_FILES} Markdown files, ${MAX_OTHERS} others or ${MAX_DEPTH} levels.`;

export const MARKDOWN_FILE = /\.(?:md|mdx|markdown)$/iu;

/** Finds the files of a folder, and what a generator takes them for. Throws where the folder can't be read or is too large. */
export function readFolderNames(folder: string, { include, exclude }: NameOptions): FolderNames {
  // The folder itself may be a link: it is the caller who names it.
  const root = realpathSync(folder);
  const markdown: string[] = [];
  const categoryFiles = new Set<string>();
  const leftOut: LeftOut[] = [];
  const others = new Map<string, number>();
  let otherCount = 0;
  for (const { path, kind, isProblem = false } of filesBelow(root)) {
    if (kind === 'markdown') markdown.push(path);
    else if (kind === 'category') categoryFiles.add(path);
    else if (kind === 'other') {
      if (path === LOCK_FILE) continue;
      const ending = extname(path).toLowerCase() || 'without an ending';
      others.set(ending, (others.get(ending) ?? 0) + 1);
      otherCount += 1;
    } else leftOut.push({ path, reason: kind, isProblem });
    if (markdown.length + leftOut.length > MAX_FILES || otherCount > MAX_OTHERS) throw new Error(TOO_LARGE);
  }
  markdown.sort(compareTexts);
  const convention = conventionOf(settingsAround(root), [...markdown, ...categoryFiles]);
  const isAmong = (path: string, patterns: readonly string[]) =>
    patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
  const all = new Set(markdown);
  const isReplaced = (path: string) =>
    convention.indexReplacesReadme && path.endsWith('README.md') && all.has(path.replace(/README\.md$/u, 'index.md'));
  const pages = markdown.filter((path) => {
    const excluded = isAmong(path, exclude) ? 'it is among those of --exclude' : null;
    const replaced = isReplaced(path) ? `it has no page beside index.md in ${convention.name}` : null;
    const reason = excluded ?? (isAmong(path, include) ? null : (replaced ?? reasonOfName(path, convention)));
    if (reason !== null) leftOut.push({ path, reason, isProblem: false });
    return reason === null;
  });
  return { root, convention, pages, categoryFiles, leftOut, others };
}

/** The folders above that may have the settings of the generator, such as that of `src/content/docs`. */
const FOLDERS_ABOVE = 3;

function settingsAround(root: string): readonly string[] {
  const folders = [root];
  for (let above = 0; above < FOLDERS_ABOVE; above += 1) folders.push(dirname(folders[above] ?? root));
  return folders.flatMap(namesIn);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder above that may not be read shows nothing.
    return [];
  }
}

interface FoundFile {
  readonly path: string;
  /** Else the reason why it is not looked into. */
  readonly kind: string;
  readonly isProblem?: boolean;
}

/** The folders that hold other people's packages, and the history of git. */
const FOREIGN_FOLDERS = /^(?:node_modules|\.git)$/u;

function* filesBelow(root: string, folder = ''): Generator<FoundFile> {
  if (folder.split('/').length > MAX_DEPTH) throw new Error(TOO_LARGE);
  const entries = openFolder(root, folder);
  if (typeof entries === 'string') {
    yield { path: folder, kind: entries, isProblem: true };
    return;
  }
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const path = `${folder}${entry.name}`;
      if (!entry.isDirectory()) yield { path, ...kindOf(root, path, entry) };
      else if (!FOREIGN_FOLDERS.test(entry.name)) yield* filesBelow(root, `${path}/`);
      else if (entry.name !== '.git') yield { path: `${path}/`, kind: 'packages of others are not looked into' };
    }
  } finally {
    entries.closeSync();
  }
}

/** Opens a folder. The result is the reason where one within the root can't be opened: it stops no other. */
function openFolder(root: string, folder: string): Dir | string {
  try {
    return opendirSync(join(root, folder));
  } catch (error) {
    if (folder === '') throw error;
    return reasonOf(folder, error);
  }
}

function kindOf(root: string, path: string, entry: Dirent): Omit<FoundFile, 'path'> {
  const isCategory = CATEGORY_FILES.some((name) => name === entry.name);
  const isRead = isCategory || MARKDOWN_FILE.test(path);
  // A link without an ending may be one to a folder.
  if (entry.isSymbolicLink())
    return { kind: isRead || extname(path) === '' ? 'it is a link, and links are not followed' : 'other' };
  if (!isRead) return { kind: 'other' };
  if (!entry.isFile()) return { kind: 'it is no regular file', isProblem: true };
  try {
    if (lstatSync(join(root, path)).nlink > 1) return { kind: 'it has another name (a hard link), and is left alone' };
  } catch (error) {
    return { kind: reasonOf(path, error), isProblem: true };
  }
  return { kind: isCategory ? 'category' : 'markdown' };
}

/** Why a file or folder can't be read, as a sentence. Bytes of a name that are no UTF-8 are read as U+FFFD. */
function reasonOf(path: string, error: unknown): string {
  if (path.includes('\ufffd')) return 'its name is not UTF-8: rename it';
  if (!(error instanceof Error && 'code' in error)) throw error;
  return `it can't be read (${error.code})`;
}
