import { useEffect, useState } from 'react';
import type { Api } from '../api.ts';
import type { Edition } from '../app.tsx';
import { type ArticleTranslationStatus, OfferedFiltersDocument } from '../generated/graphql.ts';
import type { View } from '../view.ts';
import type { CategoryChoice } from './categories.ts';
import { STATUSES, TRANSLATIONS } from './cell-values.ts';

const TYPING_PAUSE_MS = 300;

interface FilterBarProps {
  view: View;
  categories: readonly CategoryChoice[];
  /** Why there is no search by text; null where there is one. */
  textRefusal: string | null;
  onChange: (change: Partial<View>) => void;
}

export function FilterBar({ view, categories, textRefusal, onChange }: FilterBarProps) {
  return (
    <search className="bar filters" aria-label="Filter">
      <TextFilter key={view.text === '' ? 'empty' : 'set'} {...{ view, textRefusal, onChange }} />
      <label>
        Category
        <select value={view.category} onChange={({ target }) => onChange({ category: target.value })}>
          <option value="">All</option>
          {categories.map(({ categoryId, path }) => (
            <option key={categoryId} value={categoryId}>
              {path}
            </option>
          ))}
        </select>
      </label>
      <label>
        Hidden
        <select value={view.hidden} onChange={({ target }) => onChange({ hidden: target.value as View['hidden'] })}>
          <option value="">All</option>
          <option value="true">Hidden</option>
          <option value="false">Shown</option>
        </select>
      </label>
      <label>
        Translation
        <select
          value={view.translation}
          onChange={({ target }) => onChange({ translation: target.value as View['translation'] })}
        >
          <option value="">All</option>
          {FILTERED_TRANSLATIONS.map((status) => (
            <option key={status} value={status}>
              {TRANSLATIONS[status]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Status
        <select value={view.status} onChange={({ target }) => onChange({ status: target.value as View['status'] })}>
          <option value="">All</option>
          <option value="DRAFT">{STATUSES.DRAFT}</option>
          <option value="PUBLISHED">{STATUSES.PUBLISHED}</option>
        </select>
      </label>
      <label>
        Changed since
        <input type="date" value={view.since} onChange={({ target }) => onChange({ since: target.value })} />
      </label>
    </search>
  );
}

const FILTERED_TRANSLATIONS: readonly ArticleTranslationStatus[] = [
  'NONE',
  'NEEDS_TRANSLATION',
  'IN_PROGRESS',
  'TRANSLATED',
];

/** What is typed is searched for after a pause, since a search may be a call to the service. */
function TextFilter({ view, textRefusal, onChange }: Omit<FilterBarProps, 'categories'>) {
  const [text, setText] = useState(view.text);
  useEffect(() => {
    if (text === view.text) return;
    const timer = setTimeout(() => onChange({ text }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, view.text, onChange]);
  return (
    <label>
      Text
      <input
        type="search"
        value={text}
        maxLength={200}
        disabled={textRefusal !== null}
        aria-describedby={textRefusal === null ? undefined : 'text-refusal'}
        onChange={({ target }) => setText(target.value)}
      />
      {textRefusal !== null && (
        <span id="text-refusal" className="hint">
          {textRefusal}
        </span>
      )}
    </label>
  );
}

/** Why the backend has no search by text; null where it has one, and until that is known. */
export function useTextRefusal(api: Api, { projectVersionId, languageCode }: Edition): string | null {
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    void api.send(OfferedFiltersDocument, { projectVersionId, languageCode }).then(({ failure }) => {
      setRefusal(failure?.code === 'NOT_OFFERED' ? failure.message : null);
    });
  }, [api, projectVersionId, languageCode]);
  return refusal;
}
