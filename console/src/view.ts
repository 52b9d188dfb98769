import { useCallback, useState } from 'react';
import { usePageEvent } from './page-event.ts';

/** A project version and a language, whose articles and texts a list shows. */
export interface VersionLanguage {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

const oneOf =
  <const Value extends string>(...choices: readonly [Value, ...Value[]]) =>
  (text: string): Value =>
    choices.find((choice) => choice === text) ?? choices[0];

const anyText = (text: string): string => text.slice(0, 200);

const listOf = (text: string): readonly string[] => text.slice(0, 500).split(',').filter(Boolean);

/** Parses each member from its text, which may be anything. The empty text gives the default. */
const MEMBERS = {
  tab: oneOf(
    'articles',
    'replace',
    'changes',
    'publication',
    'unknown',
    'jobs',
    'groups',
    'plans',
    'article',
    'create',
  ),
  /** The article of the last opened page. */
  article: anyText,
  version: anyText,
  language: anyText,
  text: anyText,
  hidden: oneOf('', 'true', 'false'),
  translation: oneOf('', 'NONE', 'NEEDS_TRANSLATION', 'IN_PROGRESS', 'TRANSLATED'),
  status: oneOf('', 'DRAFT', 'PUBLISHED'),
  /** A date as `2026-01-31`. */
  since: (text: string) => (/^\d{4}-\d\d-\d\d$/u.test(text) ? text : ''),
  category: anyText,
  order: oneOf('TITLE', 'CATEGORY', 'MODIFIED_AT_DESC'),
  /** The hidden columns, by their IDs. */
  without: listOf,
  /** The order of the columns, by their IDs. Those that are left out follow. */
  columns: listOf,
  /** The columns that stay in sight beside the title, by their IDs. */
  frozen: listOf,
  /** Widths in pixels that differ from the usual ones, as `title:300`. */
  widths: listOf,
  /** The name of the view that was chosen last, which may have been changed since; '' for none. */
  name: anyText,
};

/**
 * The state of the page in the fragment of the address, which browsers do not send, so that no search text gets into a
 * log. Empty texts mean the default or all.
 */
export type View = { readonly [Name in keyof typeof MEMBERS]: ReturnType<(typeof MEMBERS)[Name]> };

export type Tab = View['tab'];

export function viewOf(fragment: string): View {
  const params = new URLSearchParams(fragment);
  const entries = Object.entries(MEMBERS).map(([name, read]) => [name, read(params.get(name) ?? '')] as const);
  return Object.fromEntries(entries) as View;
}

const readView = (): View => viewOf(location.hash.slice(1));

/** The fragment of a view, without members that have their defaults. */
export function fragmentOf(view: View): string {
  const defaults: Readonly<Record<string, unknown>> = viewOf('');
  const texts = Object.entries(view).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(texts.filter(([name = '', text]) => text !== String(defaults[name]))).toString();
}

/** The view of the address, and a function that changes members of it. Another tab or article is a step of the browser's history. */
export function useView(): readonly [View, (change: Partial<View>) => void] {
  const [view, setView] = useState(readView);
  usePageEvent('hashchange', () => setView(readView()));
  const change = useCallback((members: Partial<View>) => {
    const last = readView();
    const next = { ...last, ...members };
    const isOther = next.tab !== last.tab || next.article !== last.article;
    history[isOther ? 'pushState' : 'replaceState'](null, '', `#${fragmentOf(next)}`);
    setView(next);
  }, []);
  return [view, change];
}
