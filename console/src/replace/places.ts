import type { Api } from '../api.ts';
import { type Changed, type Edits, keyOf } from '../articles/edits.ts';
import { READ_AT_ONCE, readText } from '../articles/texts.ts';
import type { ArticleFieldsFragment } from '../generated/graphql.ts';

export const MAX_PLACES = 5_000;

export interface Search {
  readonly text: string;
  readonly matchesCase: boolean;
  readonly inTitles: boolean;
  readonly inTexts: boolean;
}

/** An occurrence in a title or text, including unsent changes. */
export interface Place {
  readonly article: ArticleFieldsFragment;
  readonly member: 'title' | 'content';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Found {
  readonly places: readonly Place[];
  readonly searched: number;
  /** The texts that were not searched, with reasons. */
  readonly problems: readonly string[];
}

interface SearchOptions {
  readonly articles: readonly ArticleFieldsFragment[];
  readonly edits: Edits;
  /** Reports the places found so far. The search ends where this returns false. */
  readonly onPart: (found: Found) => boolean;
}

/** Searches titles, which the page has, and texts, each of which is read by a call. The first failed read ends the search. */
export async function findPlaces(api: Api, search: Search, { articles, edits, onPart }: SearchOptions): Promise<void> {
  let found: Found = { places: [], searched: 0, problems: [] };
  const step = search.inTexts ? READ_AT_ONCE : articles.length;
  while (found.searched < articles.length && found.places.length < MAX_PLACES) {
    const part = articles.slice(found.searched, found.searched + step);
    const searched = await Promise.all(
      part.map(async (article) => {
        const { title = article.title ?? '', content } = edits.get(keyOf(article))?.change ?? {};
        const text = search.inTexts ? (content ?? (await readText(api, article))) : '';
        const failed = typeof text === 'string' ? null : text;
        const inTitle = search.inTitles ? placesIn({ article, member: 'title', text: title }, search) : [];
        const inText = typeof text === 'string' ? placesIn({ article, member: 'content', text }, search) : [];
        return { article, failed, places: [...inTitle, ...inText] };
      }),
    );
    const problems = searched.flatMap(({ article, failed }) =>
      failed ? `${article.title || article.articleId}: ${failed.problem}` : [],
    );
    found = {
      places: [...found.places, ...searched.flatMap(({ places }) => places)].slice(0, MAX_PLACES),
      searched: found.searched + part.length,
      problems: [...found.problems, ...problems],
    };
    if (!onPart(found) || searched.some(({ failed }) => failed?.hasFailed)) return;
  }
}

function placesIn(within: Omit<Place, 'start' | 'end'>, { text, matchesCase }: Search): readonly Place[] {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'), matchesCase ? 'gu' : 'giu');
  const places: Place[] = [];
  for (const { index, 0: match } of within.text.matchAll(pattern))
    if (places.push({ ...within, start: index, end: index + match.length }) === MAX_PLACES) break;
  return places;
}

/** The changes that replace places, what they do, and a problem for each title that would be empty. */
export function replacePlaces(places: readonly Place[], replacement: string) {
  const problems: string[] = [];
  const changes: Changed[] = [];
  for (const group of Map.groupBy(places, ({ article, member }) => `${member} ${keyOf(article)}`).values()) {
    const [place] = group;
    if (!place) continue;
    const { article, member, text } = place;
    const after = replacedText(text, group, replacement);
    if (member === 'title' && after.trim() === '') problems.push(`The title "${text}" would be empty.`);
    else if (after !== text) changes.push([article, { [member]: after }, text]);
  }
  const [first] = places;
  return { changes, problems, reason: `Replace “${first?.text.slice(first.start, first.end)}” by “${replacement}”` };
}

function replacedText(text: string, places: readonly Place[], replacement: string): string {
  let from = 0;
  const parts = places.map(({ start, end }) => {
    const part = text.slice(from, start) + replacement;
    from = end;
    return part;
  });
  return parts.join('') + text.slice(from);
}
