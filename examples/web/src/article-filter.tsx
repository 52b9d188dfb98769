import { useId } from 'react';
import type { CombinedError } from 'urql';
import type { Option } from './choices.ts';
import type { LanguageScopeInput } from './generated/graphql.ts';

/** What is typed and chosen. */
export interface ListFilter {
  /** Empty for articles of any category. */
  categoryId: string;
  /** Words to search for; empty for all articles. */
  text: string;
}

/** The arguments that select the listed articles. The gateway searches: the page has only one page of the list. */
export const listOf = (edition: LanguageScopeInput, { categoryId, text }: ListFilter) => ({
  ...edition,
  categoryId: categoryId || null,
  filter: text.trim() === '' ? null : { text: text.trim() },
});

/** Why the gateway does not search: the text has too many words, or the service has no search. */
export function refusalOf(error: CombinedError | undefined): string | undefined {
  const codes = ['VALIDATION_FAILED', 'NOT_OFFERED'];
  return error?.graphQLErrors.find(({ extensions }) => codes.includes(String(extensions['code'])))?.message;
}

interface ArticleFilterProps {
  categories: readonly Option<string>[];
  filter: ListFilter;
  /** The number of articles that are found; null when it is not known. */
  found: number | null;
  refusal: string | undefined;
  onChange: (change: Partial<ListFilter>) => void;
}

export function ArticleFilter({ categories, filter, found, refusal, onChange }: ArticleFilterProps) {
  const id = useId();
  const isFiltered = filter.text.trim() !== '' || filter.categoryId !== '';
  return (
    <search className="inline">
      <label className="inline">
        With the words
        <input
          type="search"
          autoComplete="off"
          maxLength={200}
          value={filter.text}
          aria-invalid={refusal !== undefined}
          aria-describedby={id}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      </label>
      <label className="inline">
        Only directly in
        <select value={filter.categoryId} onChange={({ target }) => onChange({ categoryId: target.value })}>
          <option value="">any category</option>
          {categories.map(({ key, label, value, depth = 0 }) => (
            <option key={key} value={value}>
              {'\u00a0\u00a0'.repeat(depth)}
              {label}
            </option>
          ))}
        </select>
      </label>
      <span id={id} role="status" className={refusal ? 'issue' : 'hint'}>
        {refusal ?? (isFiltered && found !== null && foundText(found))}
      </span>
    </search>
  );
}

function foundText(found: number): string {
  if (found === 0) return 'No article is found.';
  return found === 1 ? '1 article is found.' : `${found} articles are found.`;
}
