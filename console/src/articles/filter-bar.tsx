import { useEffect, useState } from 'react';
import { OfferedFiltersDocument } from '../generated/graphql.ts';
import { Button, Choice, Popover, SearchField, TextField } from '../parts.tsx';
import { useAnswer, useShared } from '../shared.ts';
import type { CategoryChoice } from './categories.ts';
import { STATUSES, TRANSLATIONS } from './cell-values.ts';

const TYPING_PAUSE_MS = 300;

const ALL = ['', 'All'] as const;

/** The filters with a few values. */
const filtersOf = (categories: readonly CategoryChoice[]) =>
  [
    ['category', 'Category', categories.map(({ categoryId, path }) => [categoryId, path] as const)],
    ['hidden', 'Hidden', Object.entries({ true: 'Hidden', false: 'Shown' })],
    ['translation', 'Translation', Object.entries(TRANSLATIONS).filter(([status]) => status !== 'UNRECOGNIZED')],
    ['status', 'Status', Object.entries(STATUSES).filter(([status]) => status !== 'UNRECOGNIZED')],
  ] as const;

/** The search, and what opens the other filters. */
export function FilterBar({ refusals }: { refusals: Refusals }) {
  const { view, categories, changeView: onChange } = useShared();
  const { disablesText, disablesOthers: disabled } = refusals;
  return (
    <search aria-label="Filter">
      <TextFilter isDisabled={disablesText} />
      <Popover label="Filter">
        <div className="stack">
          {filtersOf(categories).map(([name, label, options]) => (
            <Choice
              key={name}
              label={label}
              value={view[name]}
              options={[ALL, ...options]}
              disabled={disabled && name !== 'hidden'}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
          <TextField
            label="Changed since"
            type="date"
            value={view.since}
            disabled={disabled}
            onChange={(since) => onChange({ since })}
          />
        </div>
      </Popover>
    </search>
  );
}

/** No filter but the text. */
export const NO_FILTERS = { category: '', hidden: '', translation: '', status: '', since: '' } as const;

/** The filters in force, each of which a click removes, and why others can't be set beside them. */
export function FilterChips({ refusals }: { refusals: Refusals }) {
  const { view, categories, changeView } = useShared();
  const { rule, disablesText, disablesOthers } = refusals;
  const chips = [
    ...filtersOf(categories).map(
      ([name, label, options]) =>
        [name, `${label}: ${options.find(([value]) => value === view[name])?.[1] ?? '…'}`] as const,
    ),
    ['since', `Changed since ${view.since}`] as const,
  ];
  return (
    <>
      {chips
        .filter(([name]) => view[name] !== '')
        .map(([name, text]) => (
          <Button
            key={name}
            className="chip"
            aria-label={`Remove the filter ${text}`}
            onClick={() => changeView({ [name]: '' })}
          >
            {text} <span aria-hidden="true">✕</span>
          </Button>
        ))}
      {(disablesText || disablesOthers) && (
        <span id="search-rule" className="hint" title={rule ?? undefined}>
          {rule}
        </span>
      )}
    </>
  );
}

/**
 * A text, and the filters that the backend can't combine with it, disable each other. The rule names those; it is null where the
 * backend can combine all, and until that is known.
 */
export function useRefusals() {
  const { view, versionLanguage: variables } = useShared();
  const { text, category, translation, status, since } = view;
  const { problem, code } = useAnswer(OfferedFiltersDocument, { variables });
  const rule = code === 'NOT_OFFERED' ? problem : null;
  const hasRule = rule !== null;
  const hasOthers = [category, translation, status, since].some((value) => value !== '');
  const isSearching = text !== '';
  return {
    rule,
    disablesText: hasRule && hasOthers && !isSearching,
    disablesOthers: hasRule && isSearching && !hasOthers,
  };
}

export type Refusals = ReturnType<typeof useRefusals>;

/** Searches after a pause in typing, since a search may be a call to the service. */
function TextFilter({ isDisabled }: { isDisabled: boolean }) {
  const { view, changeView } = useShared();
  const [text, setText] = useState(view.text);
  const [seen, setSeen] = useState(view.text);
  if (view.text !== seen) {
    setSeen(view.text);
    setText(view.text);
  }
  useEffect(() => {
    if (text === view.text) return;
    const timer = setTimeout(() => changeView({ text }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, view.text, changeView]);
  return (
    <SearchField
      label="Search"
      placeholder="Search titles and texts"
      value={text}
      maxLength={200}
      disabled={isDisabled}
      aria-describedby={isDisabled ? 'search-rule' : undefined}
      onChange={setText}
    />
  );
}
