import type { Api } from '../api.ts';
import {
  changesVersion,
  type Edit,
  inputOf,
  isMember,
  memberOf,
  partFrom,
  storedTextOf,
  storedValueOf,
} from '../articles/edits.ts';
import { PreviewBulkUpdateArticlesDocument, type PreviewFieldsFragment } from '../generated/graphql.ts';

/** The most items of one preview; fewer where that would cost too many calls. */
const MOST_ITEMS = 500;

export interface Previews {
  readonly items: ReadonlyMap<Edit, PreviewFieldsFragment>;
  /** The account in whose name new drafts were previewed; '' where none were. */
  readonly forkUserId: string;
  readonly warnings: readonly string[];
  /** The reason why the rest could not be checked; null where all was. */
  readonly problem: string | null;
}

export const NO_PREVIEWS: Previews = { items: new Map(), forkUserId: '', warnings: [], problem: null };

/** True for what changes a version that is published, or may be. */
export const isOfPublished = ({ change }: Edit, { isPublished }: PreviewFieldsFragment): boolean =>
  changesVersion(change) && isPublished !== false;

/** The warnings that the list of changes shows beside each item. */
const SHOWN_IN_LIST: readonly (string | null)[] = ['ITEM_PUBLISHED', 'ITEM_CHANGES_NOTHING'];

/** Checks the edits without a preview, in parts, and reports all previews after each. Ends where that returns false. */
export async function previewEdits(
  api: Api,
  {
    edits,
    known,
    forkUserId,
  }: Pick<Previews, 'forkUserId'> & { readonly edits: readonly Edit[]; readonly known: Previews },
  onPart: (previews: Previews) => boolean,
): Promise<void> {
  const kept = [...known.items].filter((item) => forkUserId === known.forkUserId || !isOfPublished(...item));
  let previews: Previews = { ...known, forkUserId, items: new Map(kept), problem: null };
  const unchecked = edits.filter((edit) => !previews.items.has(edit));
  let size = MOST_ITEMS;
  for (let at = 0; at < unchecked.length; ) {
    const part = partFrom(unchecked, at, size);
    const { data, failure } = await api.send(PreviewBulkUpdateArticlesDocument, {
      input: {
        articles: part.map((edit) => inputOf(edit)),
        ...(forkUserId !== '' && { ifPublished: 'FORK', userId: forkUserId }),
      },
    });
    if (failure?.code === 'QUERY_TOO_COSTLY' && size > 1) {
      size = Math.ceil(size / 2);
      continue;
    }
    const preview = data?.previewBulkUpdateArticles;
    previews = preview
      ? joined(previews, part, preview)
      : { ...previews, problem: failure?.message ?? 'The changes could not be checked.' };
    if (!onPart(previews) || previews.problem !== null) return;
    at += part.length;
  }
}

/**
 * True where somebody else has changed the same since the page of an article was read. The gateway tells that of articles with a
 * revision; those that were never changed before have none.
 */
function isOverwriting({ article }: Edit, { changes }: PreviewFieldsFragment): boolean {
  if (!('revision' in article) || article.revision !== null) return false;
  return changes.some(({ field, from }) => {
    if (field === 'CONTENT' || field === 'HTML_CONTENT') return (from ?? '') !== storedTextOf(article);
    const member = memberOf(field);
    return isMember(member) && from !== storedValueOf(article, member);
  });
}

const refused = (preview: PreviewFieldsFragment): PreviewFieldsFragment => ({
  ...preview,
  wouldSucceed: false,
  issues: [{ message: 'Somebody else has changed the article since you began. Open it to compare both.' }],
});

interface PartOfPreview {
  readonly results: readonly PreviewFieldsFragment[];
  readonly warnings: readonly { readonly code: string | null; readonly description: string | null }[];
}

function joined(previews: Previews, part: readonly Edit[], { results, warnings }: PartOfPreview): Previews {
  const items = results.flatMap((result) => {
    const edit = part[result.index];
    return edit ? [[edit, isOverwriting(edit, result) ? refused(result) : result] as const] : [];
  });
  const descriptions = warnings.flatMap(({ code, description }) =>
    SHOWN_IN_LIST.includes(code) ? [] : (description ?? []),
  );
  return {
    forkUserId: previews.forkUserId,
    items: new Map([...previews.items, ...items]),
    warnings: [...new Set([...previews.warnings, ...descriptions])],
    problem: null,
  };
}
