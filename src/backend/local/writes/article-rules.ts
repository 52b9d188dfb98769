import { err, ok, type Result } from '../../../base/result.ts';
import { storedTextProblem } from '../../../base/text.ts';
import { type ArticleUpdate, orderProblem, versionNumberProblem } from '../../../domain/articles/bulk-updates.ts';
import type { ArticleTarget } from './article-targets.ts';

/** The language version that an item changes. */
export interface TargetVersion {
  readonly articleId: string;
  readonly languageCode: string;
  readonly versionNumber: number;
  /** True for the WYSIWYG editor, the only one that stores `htmlContent`. */
  readonly takesHtml: boolean;
  /** The bytes of its content, which an update of any of its members writes anew in SQLite. */
  readonly contentBytes: number;
}

/** The target of an item, or every reason why it fails: see docs/contract.md, "Store bulk update". */
export function validateArticleUpdate(
  update: ArticleUpdate,
  target: ArticleTarget,
): Result<TargetVersion, readonly string[]> {
  const { article_id, language_code, version_number, content_type, content_bytes } = target;
  const reasons = [...missingTargetReasons(update, target), ...invalidValueReasons(update, target)];
  if (reasons.length > 0) return err(reasons);
  if (article_id === null || language_code === null || version_number === null) {
    throw new Error('An item without a target has passed the rules.');
  }
  return ok({
    articleId: article_id,
    languageCode: language_code,
    versionNumber: version_number,
    takesHtml: content_type === 'WYSIWYG',
    contentBytes: content_bytes,
  });
}

/** Checks article, language, translation and version in this order, and stops at the first that is missing. */
function missingTargetReasons(
  { languageCode, versionNumber }: ArticleUpdate,
  target: ArticleTarget,
): readonly string[] {
  const { article_id, language_code, latest_version_number, version_number } = target;
  if (article_id === null) return ['there is no such article'];
  if (language_code === null) return [`its project version has no language ${languageCode ?? 'at all'}`];
  if (latest_version_number === null) return [`it has no translation in the language ${language_code}`];
  const problem = versionNumber == null ? null : versionNumberProblem(versionNumber);
  if (problem !== null) return [`the version number ${problem}`];
  if (version_number === null) return [`it has no version ${versionNumber} in the language ${language_code}`];
  return [];
}

function invalidValueReasons(update: ArticleUpdate, target: ArticleTarget): readonly string[] {
  const { title, categoryId, translationStatus, order } = update;
  const reasons: string[] = [];
  if (categoryId != null && target.article_id !== null && target.category_id === null) {
    reasons.push(`its project version has no category ${categoryId}`);
  }
  if (translationStatus === 'IN_PROGRESS' || translationStatus === 'UNRECOGNIZED') {
    reasons.push('the translation status must be 0 (none), 1 (needs translation) or 2 (translated)');
  }
  const titleProblem = title == null ? null : storedTextProblem('title', title);
  if (titleProblem !== null) reasons.push(`the title ${titleProblem}`);
  const problem = order === undefined ? null : orderProblem(order);
  if (problem !== null) reasons.push(`the order ${problem}`);
  return reasons;
}
