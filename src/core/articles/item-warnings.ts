import { createNotice, type Notice } from '../notices.ts';
import { type ArticleCreation, placeOf } from './article-creations.ts';
import type { ArticleOutcome } from './article-outcomes.ts';
import type { ArticlePreview } from './article-previews.ts';
import type { Category } from './articles.ts';
import { type ArticleUpdate, type ArticleUpdateDraft, changesVersion, MEMBERS, textKeyOf } from './bulk-updates.ts';
import { type CategoryCreation, referringOf, titledOf } from './category-creations.ts';
import { hasDraft } from './forks.ts';

/** Items that are valid and probably not meant. */
interface DoubtfulItems {
  readonly code: string;
  /** What these items do, as the end of a sentence. */
  readonly predicate: string;
  /** The positions of the items in the list, from 0. */
  readonly indexes: readonly number[];
}

/** The properties that an update can set: the members that do not identify the text. */
const PROPERTIES = MEMBERS.flatMap(([name, { compare }]) => (compare === null ? [] : [name]));

interface NamedTexts {
  readonly size: number;
  add(key: string): NamedTexts;
}

/**
 * The items of a list that change nothing, empty a title, or name a text again, possibly one of an earlier list. Kinds
 * without items are left out. Without `names`, each text is assumed to be named once.
 */
export function doubtfulItems(
  updates: readonly ArticleUpdateDraft[],
  named: NamedTexts | null,
): readonly DoubtfulItems[] {
  const indexesOf = (isMeant: (update: ArticleUpdateDraft) => boolean): readonly number[] => {
    const indexes: number[] = [];
    for (let index = 0; index < updates.length; index += 1) {
      const update = updates[index];
      if (update !== undefined && isMeant(update)) indexes.push(index);
    }
    return indexes;
  };
  const isNamedAgain = (texts: NamedTexts, update: ArticleUpdateDraft): boolean =>
    texts.size === texts.add(textKeyOf(update)).size;
  return [
    {
      code: 'ITEM_CHANGES_NOTHING',
      predicate: 'set no property to a value, and so change nothing',
      indexes: indexesOf((update) => PROPERTIES.every((name) => update[name] == null)),
    },
    { code: 'TITLE_EMPTY', predicate: 'set an empty title', indexes: indexesOf(({ title }) => title?.trim() === '') },
    {
      code: 'ARTICLE_REPEATED',
      predicate:
        'name an article again, with the language and version of an earlier one; where both set a property, the last one counts',
      indexes: named === null ? [] : indexesOf((update) => isNamedAgain(named, update)),
    },
  ].filter(({ indexes }) => indexes.length > 0);
}

const namesEachOnce = (updates: readonly ArticleUpdateDraft[]): boolean =>
  updates.length < 2 || new Set(updates.map(({ articleId }) => articleId)).size === updates.length;

/** The most articles or items that one sentence names. */
export const MAX_NAMED = 10;

/** The most items that a warning lists for programs. */
const MAX_LISTED_ITEMS = 100;

/** Lists the first names, and the number of the others. */
export function listNames(names: readonly unknown[], count = names.length): string {
  const more = count - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The warnings about the items of a list, for bulk updates and their previews. */
export function itemWarnings(updates: readonly ArticleUpdate[]): readonly Notice[] {
  // Nearly no list names an article twice, so this is checked first.
  const areDistinct = namesEachOnce(updates);
  const doubts = doubtfulItems(updates, areDistinct ? null : new Set()).map(warnOf);
  return [...(areDistinct ? [] : sharedMemberWarnings(updates)), ...doubts];
}

/** The warning about items that were sent without `hidden`, though their articles may be hidden (`KEEP_HIDDEN`). */
export function hiddenWarnings(outcomes: readonly ArticleOutcome[]): readonly Notice[] {
  const indexes = outcomes.flatMap((outcome, index) =>
    'isHiddenUnknown' in outcome && outcome.isHiddenUnknown ? [index] : [],
  );
  const predicate = 'were sent without hidden though the API token may not read whether their articles are hidden';
  return indexes.length === 0 ? [] : [warnOf({ code: 'HIDDEN_NOT_KNOWN', predicate, indexes })];
}

/** The warning about the items of a job of which a revert can put back only a part, by their first indexes. */
export const restoreWarnings = (items: {
  readonly indexes: readonly number[];
  readonly total: number;
}): readonly Notice[] =>
  items.total === 0
    ? []
    : [
        warnOf({
          ...items,
          code: 'ITEM_PARTLY_RESTORABLE',
          predicate:
            'can be put back only in part, since no update can set what was before (no category, no text, no position, or another status); notRestored names these members',
        }),
      ];

const warnOf = ({
  code,
  predicate,
  indexes,
  total = indexes.length,
}: DoubtfulItems & { readonly total?: number }): Notice => ({
  description: `Items that ${predicate}. Their indexes: ${listNames(indexes, total)}.`,
  code,
  extensionData: { indexes: indexes.slice(0, MAX_LISTED_ITEMS), total },
});

/** A warning for each shared member that items set to different values for one article. */
function sharedMemberWarnings(updates: readonly ArticleUpdate[]): readonly Notice[] {
  const repeated = [...Map.groupBy(updates, ({ articleId }) => articleId)].filter(([, { length }]) => length > 1);
  return MEMBERS.filter(([, { isShared }]) => isShared).flatMap(([member]) => {
    const conflicting = repeated.filter(([, items]) => new Set(items.flatMap((item) => item[member] ?? [])).size > 1);
    if (conflicting.length === 0) return [];
    return createNotice(
      `Items set ${member} of one article to different values. All languages of an article share ${member}, so the last ` +
        `item that is applied counts. Articles: ${listNames(conflicting.map(([articleId]) => articleId))}.`,
    );
  });
}

/** The warnings about the versions that previewed items change; null in the place of the updates for items that publish them. */
export function versionWarnings(
  previews: readonly ArticlePreview[],
  updates: readonly ArticleUpdate[] | null,
): readonly Notice[] {
  const changed = previews.filter(
    ({ index }) => updates === null || changesVersion(updates[index] ?? { articleId: '' }),
  );
  const indexesOf = (isMeant: (preview: ArticlePreview) => boolean) =>
    changed.filter(isMeant).map(({ index }) => index);
  const published = updates === null ? [] : indexesOf((item) => item.isPublished === true && !item.wouldFork);
  const drafts = indexesOf(({ article }) => article !== null && hasDraft(article, updates === null));
  return [
    {
      code: 'ITEM_PUBLISHED',
      predicate: 'change the text of a published version, which readers may see at once',
      indexes: published,
    },
    {
      code: 'ITEM_HAS_DRAFT',
      predicate: 'are of a draft that is newer than the public version, and may be the work of somebody else',
      indexes: drafts,
    },
  ]
    .filter(({ indexes }) => indexes.length > 0)
    .map(warnOf);
}

/** The warnings about the titles of new articles that may exist in their categories already. */
export const titleWarnings = (
  items: readonly ArticleCreation[],
  existingIds: readonly (string | null)[],
): readonly Notice[] =>
  placeWarnings(items.map(placeOf), existingIds, [
    { code: 'TITLE_EXISTS', predicate: 'have the title of an article in their category' },
    { code: 'TITLE_REPEATED', predicate: 'have the title and the category of an earlier one' },
  ]);

/** The same about the names of new categories. */
export const nameWarnings = (
  items: readonly CategoryCreation[],
  existing: readonly (Category | null)[],
): readonly Notice[] =>
  placeWarnings(
    items.map((item) => placeOf({ ...referringOf(item), ...titledOf(item) })),
    existing,
    [
      { code: 'NAME_EXISTS', predicate: 'have the name of a category in their place' },
      { code: 'NAME_REPEATED', predicate: 'have the name and the place of an earlier one' },
    ],
  );

type Doubt = Omit<DoubtfulItems, 'indexes'>;

/** Warns of items whose place is taken, and of those with the place of an earlier one. */
function placeWarnings(
  places: readonly string[],
  existing: readonly unknown[],
  [exists, repeated]: readonly [Doubt, Doubt],
): readonly Notice[] {
  const known = new Set<string>();
  const repeats = places.flatMap((place, index) => (known.size === known.add(place).size ? [index] : []));
  const taken = places.flatMap((_place, index) => (existing[index] != null ? [index] : []));
  return [
    { ...exists, indexes: taken },
    { ...repeated, indexes: repeats },
  ]
    .filter(({ indexes }) => indexes.length > 0)
    .map(warnOf);
}
