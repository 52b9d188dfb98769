import { useCallback, useEffect, useState } from 'react';
import type { ArticleOrder, ArticleStatus, ArticleTranslationStatus } from './generated/graphql.ts';

export type Tab = 'articles' | 'replace' | 'changes' | 'publication' | 'unknown' | 'jobs' | 'groups';

/** What the page shows. It stands in the fragment of the address, which browsers do not send, so that no search reaches a log. */
export interface View {
  readonly tab: Tab;
  /** Empty: the default. */
  readonly version: string;
  readonly language: string;
  readonly text: string;
  readonly hidden: '' | 'true' | 'false';
  readonly translation: '' | ArticleTranslationStatus;
  readonly status: '' | ArticleStatus;
  /** A date as `2026-01-31`; empty for any. */
  readonly since: string;
  /** Empty: all categories. */
  readonly category: string;
  readonly order: ArticleOrder;
  /** The columns that are not shown, by their IDs. */
  readonly without: readonly string[];
}

const CHOICES = {
  tab: ['articles', 'replace', 'changes', 'publication', 'unknown', 'jobs', 'groups'],
  hidden: ['', 'true', 'false'],
  translation: ['', 'NONE', 'NEEDS_TRANSLATION', 'IN_PROGRESS', 'TRANSLATED'],
  status: ['', 'DRAFT', 'PUBLISHED'],
  order: ['ID', 'TITLE', 'MODIFIED_AT_DESC'],
} as const;

const oneOf = <Value extends string>(choices: readonly [Value, ...Value[]], text: string | null): Value =>
  choices.find((choice) => choice === text) ?? choices[0];

function readView(): View {
  const params = new URLSearchParams(location.hash.slice(1));
  const textOf = (name: string) => params.get(name)?.slice(0, 200) ?? '';
  return {
    tab: oneOf(CHOICES.tab, params.get('tab')),
    version: textOf('version'),
    language: textOf('language'),
    text: textOf('text'),
    hidden: oneOf(CHOICES.hidden, params.get('hidden')),
    translation: oneOf(CHOICES.translation, params.get('translation')),
    status: oneOf(CHOICES.status, params.get('status')),
    since: /^\d{4}-\d\d-\d\d$/u.test(textOf('since')) ? textOf('since') : '',
    category: textOf('category'),
    order: oneOf(CHOICES.order, params.get('order')),
    without: textOf('without').split(',').filter(Boolean),
  };
}

/** Members with their first value are left out. */
function fragmentOf(view: View): string {
  const texts = Object.entries(view).map(([name, value]) => [name, String(value)]);
  const firsts = new Set(['', CHOICES.tab[0], CHOICES.order[0]]);
  return new URLSearchParams(texts.filter(([, text = '']) => !firsts.has(text))).toString();
}

/** The view of the address, and a function that changes members of it there. */
export function useView(): readonly [View, (change: Partial<View>) => void] {
  const [view, setView] = useState(readView);
  useEffect(() => {
    const read = () => setView(readView());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const change = useCallback((members: Partial<View>) => {
    const next = { ...readView(), ...members };
    history.replaceState(null, '', `#${fragmentOf(next)}`);
    setView(next);
  }, []);
  return [view, change];
}

/** Takes the token of a link that ends with `#token=…` out of the address and the history; null where there is none. */
export function takeLinkedToken(): string | null {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get('token');
  if (token === null) return null;
  params.delete('token');
  history.replaceState(null, '', `#${params}`.replace(/^#$/u, location.pathname));
  return /^[\x21-\x7e]+$/u.test(token) ? token : null;
}

/** Calls back for each link with a token that is pasted into the address of the open page. The result ends that. */
export function onLinkedToken(take: (token: string) => void): () => void {
  const onChange = () => {
    const token = takeLinkedToken();
    if (token !== null) take(token);
  };
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
