import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { validateArticleCreations } from '../../core/articles/article-creations.ts';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { takesArticleId } from '../../store/knowledge-base/front-matter.ts';
import { type MarkdownFile, readMarkdownFiles } from '../../store/knowledge-base/markdown-folder.ts';
import { type InputRow, linePrefix, parseCell, parseFields, type UpdateRow } from './article-rows.ts';

/** A file whose fields are right. The place is its path below the folder. */
export interface ArticleFile extends InputRow {
  readonly articleId: string | null;
  readonly update: ArticleUpdateDraft;
  readonly slug: string;
}

/**
 * Reads a folder as `import` does, for what each of its files says. The findings and notes are lines for people. Throws
 * where the folder can't be read or is too large.
 */
export function readArticleFiles(folder: string, languages: readonly string[]) {
  const files: ArticleFile[] = [];
  const findings: string[] = [];
  const newOnes = new Map<string, string>();
  const { problems, notes } = readMarkdownFiles(folder, languages, (markdown) => {
    const file = readArticleFile(markdown);
    if (!file.ok) findings.push(...file.error);
    else if (file.value.articleId === null && newOnes.has(file.value.slug))
      findings.push(`${markdown.path}: has the slug ${file.value.slug}, as ${newOnes.get(file.value.slug)} has.`);
    else files.push(file.value);
    if (file.ok && file.value.articleId === null) newOnes.set(file.value.slug, markdown.path);
  });
  return { files, findings: [...problems, ...findings], notes };
}

/** The fields of rows by the members of the import format. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['id', 'articleId'],
  ['lang_code', 'languageCode'],
  ['category_id', 'categoryId'],
  ['translation_option', 'translationStatus'],
]);

function readArticleFile(file: MarkdownFile): Result<ArticleFile, readonly string[]> {
  const { path, text, content, fields, languageCode, categoryId, slug } = file;
  const lines = new Map([...fields].map(([member, { line }]) => [FIELDS.get(member) ?? member, line]));
  const saidOf = (member: string) => fields.get(member)?.value;
  const parsed = (member: string, field = member) => {
    const value = saidOf(member);
    return typeof value === 'string' ? parseCell(field, value) : value;
  };
  const id = saidOf('id');
  const row = parseFields({
    ...{ articleId: id ?? 'new', languageCode, title: saidOf('title'), content, categoryId },
    ...{ hidden: parsed('hidden'), order: parsed('order') },
    translationStatus: parsed('translation_option', 'translationStatus'),
  });
  const problems = row.ok ? [] : [...row.error];
  if (toPrintable(path) !== path) problems.push('the name of the file is not printable.');
  if (typeof slug !== 'string') problems.push('slug must be a text.');
  if (row.ok && id === undefined) problems.push(...creationProblems(row.value, text));
  if (!row.ok || problems.length > 0)
    return err(problems.map((message) => `${path}: ${linePrefix(lines, message.split(' ', 1)[0] ?? '')}${message}`));
  const update = row.value;
  const articleId = id === undefined ? null : update.articleId;
  return ok({ place: path, members: { ...update }, lines, articleId, update, slug: String(slug) });
}

function* creationProblems(update: ArticleUpdateDraft, text: string): Generator<string> {
  const articles = [creationOf(update, 'any')];
  for (const { message } of validateArticleCreations({ articles, userId: 'any' }, 1)) yield message;
  if (!takesArticleId(text)) yield 'its front matter is not of lines such as "name: value", and takes no ID.';
}

/** The members that a create takes from a file. An update sets the others afterwards. */
const creationOf = ({ title, content, categoryId, order }: ArticleUpdateDraft, projectVersionId: string) => ({
  ...{ title: title ?? '', content, projectVersionId, categoryId, contentType: 'MARKDOWN' as const },
  ...(order != null && { order }),
});

/** A file without an ID, with the `ArticleCreateInput` that it becomes as JSON. */
export interface NewArticle extends UpdateRow {
  /** The idempotency key of its creation. */
  readonly key: string;
  /** The article that has its slug, of an earlier run. */
  readonly holder: string | null;
}

/** Two folders of one name have the same key only for the same path and the same article. */
export function newArticleOf(
  file: ArticleFile,
  {
    projectVersionId,
    userId,
    folder,
    holder,
  }: Record<'projectVersionId' | 'userId' | 'folder', string> & Pick<NewArticle, 'holder'>,
): NewArticle {
  const json = JSON.stringify(creationOf(file.update, projectVersionId));
  const text = JSON.stringify([basename(resolve(folder)), file.place, userId, json]);
  const key = `bulk-update-create-${createHash('sha256').update(text).digest('hex')}`;
  return { ...file, json, key, holder };
}

/** The update of an article that has an ID. */
export function rowOf({ place, update, lines }: ArticleFile, articleId: string): UpdateRow {
  const members = { ...update, articleId };
  return { place, members, lines, json: JSON.stringify(members) };
}
