import type { Api } from '../api.ts';
import { counted } from '../counted.ts';
import { type ArticleFieldsFragment, CurrentArticleDocument } from '../generated/graphql.ts';
import { MAX_CSV_BYTES } from './csv.ts';
import { keyOf, storedTextOf } from './edits.ts';

/** The most texts that one search or one file reads. */
export const MAX_TEXTS = 1_000;

/** The cost of reading texts, which is shown before. */
export const textsCost = (count: number): string =>
  `Each text is read alone: at most ${counted(count, 'request')}, each of which is one call where a service has the articles.`;

/** The most texts that are read at the same time. */
export const READ_AT_ONCE = 4;

/** The reason why there is no text. */
interface NoText {
  readonly problem: string;
  /** True where no other text can be read at present. */
  readonly hasFailed?: boolean;
}

/** The stored text of an article. */
export async function readText(api: Api, { articleId, languageCode }: ArticleFieldsFragment): Promise<string | NoText> {
  const { data, failure } = await api.send(CurrentArticleDocument, { articleId, languageCode });
  if (failure) return { problem: failure.message, hasFailed: true };
  if (!data.article) return { problem: 'The article does not exist.' };
  if (data.article.contentType === 'BLOCK') return { problem: 'Texts of the block editor are not read.' };
  return storedTextOf(data.article);
}

/**
 * Reads the texts for a file, by `keyOf` their articles. Returns the reason where they are too long for one, a read has failed,
 * or `onPart` returned false.
 */
export async function readTexts(
  api: Api,
  articles: readonly ArticleFieldsFragment[],
  onPart: (read: number) => boolean,
) {
  const texts = new Map<string, string>();
  const problems: string[] = [];
  let chars = 0;
  for (let at = 0; at < articles.length; at += READ_AT_ONCE) {
    if (!onPart(at)) return 'Stopped: there is no file.';
    const part = articles.slice(at, at + READ_AT_ONCE);
    const read = await Promise.all(part.map((article) => readText(api, article)));
    for (const [index, article] of part.entries()) {
      const text = read[index] ?? '';
      if (typeof text === 'string') {
        texts.set(keyOf(article), text);
        chars += text.length;
      } else if (text.hasFailed) return `There is no file, since a text could not be read: ${text.problem}`;
      else problems.push(`${article.title || article.articleId}: ${text.problem}`);
    }
    if (chars > MAX_CSV_BYTES)
      return `There is no file, since it would have more than ${MAX_CSV_BYTES / 1e6} MB: filter the articles.`;
  }
  return { texts, problems };
}
