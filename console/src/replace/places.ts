import type { Api } from '../api.ts';
import { type Changed, type Edits, keyOf } from '../articles/edits.ts';
import { type NoText, READ_AT_ONCE, readText } from '../articles/texts.ts';
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
  const pattern = new RegExp(
    search.text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'),
    search.matchesCase ? 'gu' : 'giu',
  );
  let found: Found = { places: [], searched: 0, problems: [] };
  const step = search.inTexts ? READ_AT_ONCE : articles.length;
  while (found.searched < articles.length && found.places.length < MAX_PLACES) {
    const part = articles.slice(found.searched, found.searched + step);
    const searched = await Promise.all(part.map((article) => searchArticle(api, search, { article, edits, pattern })));
    const places = [...found.places, ...searched.flatMap((result) => result.places)];
    found = {
      places: places.slice(0, MAX_PLACES),
      searched: found.searched + part.length,
      problems: [...found.problems, ...searched.flatMap(({ problem }) => problem ?? [])],
    };
    if (!onPart(found) || searched.some(({ hasFailed }) => hasFailed)) return;
  }
}

interface Searched extends Partial<NoText> {
  readonly places: readonly Place[];
}

interface SearchedArticle {
  readonly article: ArticleFieldsFragment;
  readonly edits: Edits;
  readonly pattern: RegExp;
}

async function searchArticle(
  api: Api,
  search: Search,
  { article, edits, pattern }: SearchedArticle,
): Promise<Searched> {
  const change = edits.get(keyOf(article))?.change;
  const placesIn = (member: Place['member'], text: string): readonly Place[] => {
    const places: Place[] = [];
    for (const { index, 0: match } of text.matchAll(pattern))
      if (places.push({ article, member, text, start: index, end: index + match.length }) === MAX_PLACES) break;
    return places;
  };
  const inTitle = search.inTitles ? placesIn('title', change?.title ?? article.title ?? '') : [];
  if (!search.inTexts) return { places: inTitle };
  const read = change?.content ?? (await readText(api, article));
  if (typeof read !== 'string')
    return { ...read, places: inTitle, problem: `${article.title ?? article.articleId}: ${read.problem}` };
  return { places: [...inTitle, ...placesIn('content', read)] };
}

/** The changes that replace places, what they do, and a problem for each title that would be empty. */
export function replacePlaces(places: readonly Place[], replacement: string) {
  const problems: string[] = [];
  const changes: Changed[] = [];
  for (const group of Map.groupBy(places, ({ article, member }) => `${member} ${keyOf(article)}`).values()) {
    const [{ article, member, text } = never()] = group;
    const after = replacedText(text, group, replacement);
    if (member === 'title' && after.trim() === '') problems.push(`The title "${text}" would be empty.`);
    else if (after !== text) changes.push([article, { [member]: after }, text]);
  }
  const [first] = places;
  return { changes, problems, reason: `Replace “${first?.text.slice(first.start, first.end)}” by “${replacement}”` };
}

const never = (): never => {
  throw new Error('A group has a place.');
};

function replacedText(text: string, places: readonly Place[], replacement: string): string {
  let from = 0;
  const parts = places.map(({ start, end }) => {
    const part = text.slice(from, start) + replacement;
    from = end;
    return part;
  });
  return parts.join('') + text.slice(from);
}
