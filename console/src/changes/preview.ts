import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer } from '../api.ts';
import {
  type ArticleChange,
  changesVersion,
  type Edit,
  isMember,
  memberOf,
  partFrom,
  type Seen,
} from '../articles/edits.ts';
import type { ChangedField, PreviewFieldsFragment } from '../generated/graphql.ts';
import { useShared } from '../shared.ts';
import type { Work } from '../work.ts';

export interface CheckedEdit {
  readonly edit: Edit;
  readonly preview: PreviewFieldsFragment;
  readonly conflicts: readonly Conflict[];
}

interface PartOfPreview {
  readonly results: readonly PreviewFieldsFragment[];
  readonly warnings?: readonly { readonly code: string | null; readonly description: string | null }[];
}

/** Asks for the previews of some edits. Another function asks for other ones. */
type Ask = (part: readonly Edit[]) => Promise<Answer<{ readonly result: PartOfPreview | null }>>;

interface Previews {
  /** By the changes of the edits. */
  readonly items: ReadonlyMap<ArticleChange, PreviewFieldsFragment>;
  readonly ask: Ask | null;
  readonly warnings: readonly string[];
  /** The reason why the rest could not be checked; null where all was. */
  readonly problem: string | null;
}

const NO_PREVIEWS: Previews = { items: new Map(), ask: null, warnings: [], problem: null };

/** The previews of edits. New and changed edits are checked, at most so many at once. */
export function usePreviews(edits: readonly Edit[], ask: Ask, most: number) {
  const { work } = useShared();
  const [previews, setPreviews] = useState(NO_PREVIEWS);
  const latest = useRef({ previews: NO_PREVIEWS, run: 0 });
  const check = useCallback(async () => {
    const run = ++latest.current.run;
    for await (const next of previewsOf({ edits, ask, most, known: latest.current.previews })) {
      if (run !== latest.current.run) return;
      latest.current.previews = next;
      setPreviews(next);
    }
  }, [edits, ask, most]);
  useEffect(() => {
    const { current } = latest;
    void check();
    return () => {
      current.run++;
    };
  }, [check]);
  const placed = placedIn(work.outcomes);
  const checked = edits.flatMap((edit): readonly CheckedEdit[] => {
    const preview = previews.items.get(edit.change);
    return preview ? [{ edit, preview, conflicts: conflictsOf(edit, preview, placed) }] : [];
  });
  return { checked, warnings: previews.warnings, problem: previews.problem, recheck: () => void check() };
}

/** True for what changes a version that is published, or may be. */
export const isOfPublished = ({ change }: Pick<Edit, 'change'>, { isPublished }: PreviewFieldsFragment): boolean =>
  changesVersion(change) && isPublished !== false;

/** The warnings that the list of changes shows beside each item. */
const SHOWN_IN_LIST: readonly (string | null)[] = ['ITEM_PUBLISHED', 'ITEM_CHANGES_NOTHING'];

interface CheckOptions {
  readonly edits: readonly Edit[];
  readonly ask: Ask;
  readonly most: number;
  readonly known: Previews;
}

/** Checks the edits without a preview, in parts that are smaller where they cost too many calls, and yields all previews after each. */
async function* previewsOf({ edits, ask, most, known }: CheckOptions): AsyncGenerator<Previews> {
  // Another function, which forks published versions or not, has other previews of published versions alone.
  const kept = [...known.items].filter(([change, preview]) => ask === known.ask || !isOfPublished({ change }, preview));
  let previews: Previews = { ...known, ask, items: new Map(kept), problem: null };
  // Languages of an article share members, so that an edit depends on those before it of the same article.
  const byArticle = Map.groupBy(edits, ({ article }) => article.articleId);
  const unchecked = [...byArticle.values()].flat().filter((edit) => !previews.items.has(edit.change));
  let size = most;
  for (let at = 0; at < unchecked.length; ) {
    const part = partFrom(unchecked, at, size);
    const { data, failure } = await ask(part);
    if (failure?.code === 'QUERY_TOO_COSTLY' && size > 1) {
      size = Math.ceil(size / 2);
      continue;
    }
    previews = data?.result
      ? joined(previews, part, data.result)
      : { ...previews, problem: failure?.message ?? 'The changes could not be checked.' };
    yield previews;
    if (previews.problem !== null) return;
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
function placedIn(outcomes: Work['outcomes']): ReadonlySet<string> {
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
function conflictsOf(
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

function joined(previews: Previews, part: readonly Edit[], { results, warnings = [] }: PartOfPreview): Previews {
  const items = results.flatMap((result) => {
    const edit = part[result.index];
    return edit ? [[edit.change, result] as const] : [];
  });
  const descriptions = warnings.flatMap(({ code, description }) =>
    SHOWN_IN_LIST.includes(code) ? [] : (description ?? []),
  );
  return {
    ...previews,
    items: new Map([...previews.items, ...items]),
    warnings: [...new Set([...previews.warnings, ...descriptions])],
  };
}
