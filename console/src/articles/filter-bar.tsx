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
  /** What the backend does not find a text together with; null where it does with everything. */
  searchRule: string | null;
  onChange: (change: Partial<View>) => void;
}

export function FilterBar({ view, categories, searchRule, onChange }: FilterBarProps) {
  const { disablesText, disablesOthers } = refusalsOf(view, searchRule);
  return (
    <search className="bar filters" aria-label="Filter">
      <TextFilter key={view.text === '' ? 'empty' : 'set'} {...{ view, onChange }} isDisabled={disablesText} />
      <label>
        Category
        <select
          value={view.category}
          disabled={disablesOthers}
          onChange={({ target }) => onChange({ category: target.value })}
        >
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
          disabled={disablesOthers}
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
        <select
          value={view.status}
          disabled={disablesOthers}
          onChange={({ target }) => onChange({ status: target.value as View['status'] })}
        >
          <option value="">All</option>
          <option value="DRAFT">{STATUSES.DRAFT}</option>
          <option value="PUBLISHED">{STATUSES.PUBLISHED}</option>
        </select>
      </label>
      <label>
        Changed since
        <input
          type="date"
          value={view.since}
          disabled={disablesOthers}
          onChange={({ target }) => onChange({ since: target.value })}
        />
      </label>
      {(disablesText || disablesOthers) && (
        <span id="search-rule" className="hint">
          {searchRule}
        </span>
      )}
    </search>
  );
}

const FILTERED_TRANSLATIONS: readonly ArticleTranslationStatus[] = [
  'NONE',
  'NEEDS_TRANSLATION',
  'IN_PROGRESS',
  'TRANSLATED',
];

/** A text and what it is not found with keep each other out. */
export function refusalsOf({ text, category, translation, status, since, order }: View, searchRule: string | null) {
  const hasOthers = [category, translation, status, since].some((value) => value !== '') || order !== 'ID';
  const isSearching = text !== '';
  const hasRule = searchRule !== null;
  return { disablesText: hasRule && hasOthers && !isSearching, disablesOthers: hasRule && isSearching && !hasOthers };
}

interface TextFilterProps extends Pick<FilterBarProps, 'view' | 'onChange'> {
  isDisabled: boolean;
}

/** What is typed is searched for after a pause, since a search may be a call to the service. */
function TextFilter({ view, isDisabled, onChange }: TextFilterProps) {
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
        disabled={isDisabled}
        aria-describedby={isDisabled ? 'search-rule' : undefined}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

/** What the backend does not find a text together with; null where there is no such rule, and until that is known. */
export function useSearchRule(api: Api, { projectVersionId, languageCode }: Edition): string | null {
  const [rule, setRule] = useState<string | null>(null);
  useEffect(() => {
    void api.send(OfferedFiltersDocument, { projectVersionId, languageCode }).then(({ failure }) => {
      setRule(failure?.code === 'NOT_OFFERED' ? failure.message : null);
    });
  }, [api, projectVersionId, languageCode]);
  return rule;
}
