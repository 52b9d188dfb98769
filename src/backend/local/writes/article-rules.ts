import { type ArticleUpdate, orderProblem, versionProblem } from '../../../domain/articles/bulk-updates.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ArticleTarget } from './article-targets.ts';

/** The one language version that an item changes. */
export interface Changeable {
  readonly articleId: string;
  readonly languageCode: string;
  readonly versionNumber: number;
  /** Whether its editor is WYSIWYG, the only one whose text `htmlContent` is. */
  readonly takesHtml: boolean;
}

/** What an item changes, or everything that stands against it (contract, section 4). */
export function judge(update: ArticleUpdate, target: ArticleTarget): Result<Changeable, readonly string[]> {
  const { article_id, language_code, version_number, content_type } = target;
  const reasons = [...textReasons(update, target), ...valueReasons(update, target)];
  if (reasons.length > 0) return err(reasons);
  if (article_id === null || language_code === null || version_number === null) {
    throw new Error('An item that changes no language version has passed the rules.');
  }
  return ok({
    articleId: article_id,
    languageCode: language_code,
    versionNumber: version_number,
    takesHtml: content_type === 'WYSIWYG',
  });
}

/** Article, language, translation, version: each is asked about only where the one before it is there. */
function textReasons({ languageCode, versionNumber }: ArticleUpdate, target: ArticleTarget): readonly string[] {
  const { article_id, language_code, latest_version_number, version_number } = target;
  if (article_id === null) return ['there is no such article'];
  if (language_code === null) return [`its project version has no language ${languageCode ?? 'at all'}`];
  if (latest_version_number === null) return [`it has no translation in the language ${language_code}`];
  const problem = versionNumber == null ? null : versionProblem(versionNumber);
  if (problem !== null) return [`the version number ${problem}`];
  if (version_number === null) return [`it has no version ${versionNumber} in the language ${language_code}`];
  return [];
}

function valueReasons(update: ArticleUpdate, target: ArticleTarget): readonly string[] {
  const { categoryId, translationStatus, order } = update;
  const reasons: string[] = [];
  if (categoryId != null && target.article_id !== null && target.category_id === null) {
    reasons.push(`its project version has no category ${categoryId}`);
  }
  if (translationStatus === 'IN_PROGRESS' || translationStatus === 'UNRECOGNIZED') {
    reasons.push('the translation status must be 0 (none), 1 (needs translation) or 2 (translated)');
  }
  const problem = order === undefined ? null : orderProblem(order);
  if (problem !== null) reasons.push(`the order ${problem}`);
  return reasons;
}
