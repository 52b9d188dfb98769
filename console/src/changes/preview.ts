import type { Api, Payloads } from '../api.ts';
import {
  type ArticleChange,
  changesVersion,
  type Edit,
  inputOf,
  isMember,
  memberOf,
  partFrom,
  type Seen,
} from '../articles/edits.ts';
import {
  type ChangedField,
  PreviewBulkUpdateArticlesDocument,
  type PreviewBulkUpdateArticlesMutation,
  type PreviewFieldsFragment,
} from '../generated/graphql.ts';
import type { Work } from '../work.ts';

/** The most items of one preview; fewer where that would cost too many calls. */
const MOST_ITEMS = 500;

export interface Previews {
  /** By the changes of the edits. */
  readonly items: ReadonlyMap<ArticleChange, PreviewFieldsFragment>;
  /** The account in whose name new drafts were previewed; '' where none were. */
  readonly forkUserId: string;
  readonly warnings: readonly string[];
  /** The reason why the rest could not be checked; null where all was. */
  readonly problem: string | null;
}

export const NO_PREVIEWS: Previews = { items: new Map(), forkUserId: '', warnings: [], problem: null };

/** True for what changes a version that is published, or may be. */
export const isOfPublished = ({ change }: Pick<Edit, 'change'>, { isPublished }: PreviewFieldsFragment): boolean =>
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
  const kept = [...known.items].filter(
    ([change, preview]) => forkUserId === known.forkUserId || !isOfPublished({ change }, preview),
  );
  let previews: Previews = { ...known, forkUserId, items: new Map(kept), problem: null };
  // Languages of an article share members, so that an edit depends on those before it of the same article.
  const byArticle = Map.groupBy(edits, ({ article }) => article.articleId);
  const unchecked = [...byArticle.values()].flat().filter((edit) => !previews.items.has(edit.change));
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

/** A member that has another value now than the person saw when changing it. */
export interface Conflict {
  readonly name: keyof Seen;
  readonly seen: unknown;
  readonly now: unknown;
}

/** The categories in which this page has placed articles, by which a service may have moved the others there. */
export function placedIn(outcomes: Work['outcomes']): ReadonlySet<string> {
  const items = [...outcomes.values()].flatMap(({ item, outcome }) =>
    outcome.__typename === 'ArticleUpdated' && (item.change.order ?? item.change.categoryId) !== undefined ? item : [],
  );
  return new Set(
    items.flatMap(({ article, change }) => [article.category?.categoryId ?? [], change.categoryId ?? []].flat()),
  );
}

/**
 * What is there in place of what the person saw. It is sent only once the person has decided. Another order is nobody's edit
 * where this page has placed a neighbour and the article has not been written since.
 */
export function conflictsOf(
  { article, seen = {} }: Edit,
  { article: now, changes }: PreviewFieldsFragment,
  placed: ReadonlySet<string>,
): readonly Conflict[] {
  const isWritten = article.modifiedAt === null || article.modifiedAt !== now?.modifiedAt;
  const isMoved = placed.has(article.category?.categoryId ?? '') && !isWritten;
  return changes
    .map(({ field, from }) => ({ name: nameOf(field), now: from }))
    .flatMap(({ name, now }) => (name && seen[name] !== undefined ? { name, now, seen: seen[name] } : []))
    .filter(({ name }) => !(isMoved && name === 'order'))
    .filter((conflict) => asStored(conflict.seen) !== asStored(conflict.now));
}

/** The name of a member of a preview as changes have it; null where they have none. */
export function nameOf(field: ChangedField): keyof Seen | null {
  if (field === 'CONTENT' || field === 'HTML_CONTENT') return 'content';
  const member = memberOf(field);
  return isMember(member) ? member : null;
}

/** A value as a service may have stored it. */
const asStored = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim().normalize() : (value ?? '');

type PartOfPreview = NonNullable<Payloads<PreviewBulkUpdateArticlesMutation>['previewBulkUpdateArticles']>;

function joined(previews: Previews, part: readonly Edit[], { results, warnings }: PartOfPreview): Previews {
  const items = results.flatMap((result) => {
    const edit = part[result.index];
    return edit ? [[edit.change, result] as const] : [];
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
