import { useEffect, useState } from 'react';
import { OfferedFiltersDocument } from '../generated/graphql.ts';
import { Choice } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { useAnswer } from '../use-answer.ts';
import type { View } from '../view.ts';
import type { CategoryChoice } from './categories.ts';
import { STATUSES, TRANSLATIONS } from './cell-values.ts';
import type { VersionLanguage } from './version-language.ts';

const TYPING_PAUSE_MS = 300;

const ALL = ['', 'All'] as const;
const HIDDEN = [ALL, ['true', 'Hidden'], ['false', 'Shown']] as const;
const FOUND_TRANSLATIONS = (['NONE', 'NEEDS_TRANSLATION', 'IN_PROGRESS', 'TRANSLATED'] as const).map(
  (status) => [status, TRANSLATIONS[status]] as const,
);
const FOUND_STATUSES = (['DRAFT', 'PUBLISHED'] as const).map((status) => [status, STATUSES[status]] as const);

interface FilterBarProps {
  categories: readonly CategoryChoice[];
  /** The filters that the backend can't combine with a text, as a sentence; null where it can combine all. */
  searchRule: string | null;
}

export function FilterBar({ categories, searchRule }: FilterBarProps) {
  const { view, changeView: onChange } = useShared();
  const { disablesText, disablesOthers: disabled } = refusalsOf(view, searchRule);
  const paths = categories.map(({ categoryId, path }) => [categoryId, path] as const);
  return (
    <search className="bar" aria-label="Filter">
      <TextFilter key={view.text === '' ? 'empty' : 'set'} isDisabled={disablesText} />
      <Choice
        label="Category"
        value={view.category}
        options={[ALL, ...paths]}
        disabled={disabled}
        onChange={(category) => onChange({ category })}
      />
      <Choice label="Hidden" value={view.hidden} options={HIDDEN} onChange={(hidden) => onChange({ hidden })} />
      <Choice
        label="Translation"
        value={view.translation}
        options={[ALL, ...FOUND_TRANSLATIONS]}
        disabled={disabled}
        onChange={(translation) => onChange({ translation })}
      />
      <Choice
        label="Status"
        value={view.status}
        options={[ALL, ...FOUND_STATUSES]}
        disabled={disabled}
        onChange={(status) => onChange({ status })}
      />
      <label>
        Changed since
        <input
          type="date"
          value={view.since}
          disabled={disabled}
          onChange={({ target }) => onChange({ since: target.value })}
        />
      </label>
      {(disablesText || disabled) && (
        <span id="search-rule" className="hint">
          {searchRule}
        </span>
      )}
    </search>
  );
}

/** A text, and the filters that can't be combined with it, disable each other. */
export function refusalsOf({ text, category, translation, status, since, order }: View, searchRule: string | null) {
  const hasOthers = [category, translation, status, since].some((value) => value !== '') || order !== 'ID';
  const isSearching = text !== '';
  const hasRule = searchRule !== null;
  return { disablesText: hasRule && hasOthers && !isSearching, disablesOthers: hasRule && isSearching && !hasOthers };
}

/** Searches after a pause in typing, since a search may be a call to the service. */
function TextFilter({ isDisabled }: { isDisabled: boolean }) {
  const { view, changeView } = useShared();
  const [text, setText] = useState(view.text);
  useEffect(() => {
    if (text === view.text) return;
    const timer = setTimeout(() => changeView({ text }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, view.text, changeView]);
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

/** The filters that the backend can't combine with a text; null where it can combine all, and until that is known. */
export function useSearchRule({ projectVersionId, languageCode }: VersionLanguage): string | null {
  const { problem, code } = useAnswer(OfferedFiltersDocument, { variables: { projectVersionId, languageCode } });
  return code === 'NOT_OFFERED' ? problem : null;
}
