import { useState } from 'react';
import { LEVEL_NAMES } from './access-scope.ts';
import {
  categoryKeyOf,
  defaultEditionOf,
  editionKeyOf,
  editionsOf,
  type ProjectVersion,
  useCategories,
} from './choices.ts';
import { CheckList, EditionSelect } from './fields.tsx';
import type {
  AccessScopeFieldsFragment,
  AccessScopeInput,
  CategoryScopeInput,
  LanguageScopeInput,
} from './generated/graphql.ts';
import { QueryState } from './query-state.tsx';

/** The initial scope of each radio button. */
const KINDS: readonly { label: string; start: AccessScopeInput }[] = [
  { label: LEVEL_NAMES.NONE, start: { level: 'NONE' } },
  { label: LEVEL_NAMES.PROJECT, start: { level: 'PROJECT' } },
  { label: LEVEL_NAMES.VERSION, start: { projectVersionIds: [] } },
  { label: LEVEL_NAMES.LANGUAGE, start: { languages: [] } },
  { label: LEVEL_NAMES.CATEGORY, start: { categories: [] } },
  { label: LEVEL_NAMES.ARTICLE, start: { level: 'ARTICLE' } },
  { label: LEVEL_NAMES.LEVEL_6, start: { level: 'LEVEL_6' } },
];

const kindOf = (scope: AccessScopeInput): string | undefined => scope.level ?? Object.keys(scope)[0];

interface AccessScopeFieldProps {
  /** Null for a scope of a level that is not known here, which is kept until another one is chosen. */
  scope: AccessScopeInput | null;
  /** The scope as it was read, with names. */
  read: AccessScopeFieldsFragment;
  versions: readonly ProjectVersion[];
  onChange: (scope: AccessScopeInput) => void;
}

export function AccessScopeField({ scope, read, versions, onChange }: AccessScopeFieldProps) {
  return (
    <fieldset>
      <legend>What the group may read</legend>
      <div className="choices">
        {KINDS.map(({ label, start }) => (
          <label key={label}>
            <input
              type="radio"
              name="scope"
              checked={scope !== null && kindOf(scope) === kindOf(start)}
              onChange={() => onChange(start)}
            />
            {label}
          </label>
        ))}
      </div>
      {scope ? (
        <ScopeChoices scope={scope} read={read} versions={versions} onChange={onChange} />
      ) : (
        <p className="hint">It stays as it is until you choose one.</p>
      )}
    </fieldset>
  );
}

interface ScopeChoicesProps extends AccessScopeFieldProps {
  scope: AccessScopeInput;
}

function ScopeChoices({ scope, read, versions, onChange }: ScopeChoicesProps) {
  if (scope.projectVersionIds) {
    return (
      <CheckList
        legend="Versions"
        options={versions.map(({ projectVersionId: id, name }) => ({ key: id, label: name, value: id }))}
        chosen={scope.projectVersionIds}
        keyOf={(id) => id}
        onChange={(projectVersionIds) => onChange({ projectVersionIds })}
      />
    );
  }
  if (scope.languages) {
    return (
      <CheckList
        legend="Languages"
        options={editionsOf(versions)}
        chosen={scope.languages}
        keyOf={editionKeyOf}
        onChange={(languages) => onChange({ languages })}
      />
    );
  }
  if (!scope.categories) return null;
  return (
    <CategoryChoices
      versions={versions}
      read={read}
      chosen={scope.categories}
      onChange={(categories) => onChange({ categories })}
    />
  );
}

interface CategoryChoicesProps {
  versions: readonly ProjectVersion[];
  read: AccessScopeFieldsFragment;
  chosen: readonly CategoryScopeInput[];
  onChange: (chosen: CategoryScopeInput[]) => void;
}

function CategoryChoices({ versions, read, chosen, onChange }: CategoryChoicesProps) {
  const [edition, setEdition] = useState<LanguageScopeInput | undefined>(
    () => chosen[0] ?? defaultEditionOf(versions)?.value,
  );
  // The names of chosen categories, also those of other editions.
  const [names] = useState(() => categoryNamesIn(read));
  if (!edition) return <p className="hint">There is no version with a language to choose categories from.</p>;
  return (
    <>
      <EditionSelect versions={versions} edition={edition} onChange={setEdition} />
      <CategoriesOfEdition edition={edition} names={names} chosen={chosen} onChange={onChange} />
    </>
  );
}

const categoryNamesIn = (read: AccessScopeFieldsFragment): Map<string, string> =>
  new Map(
    read.__typename === 'CategoryAccessScope'
      ? read.categories.map((scope) => [categoryKeyOf(scope), scope.category?.name ?? scope.categoryId])
      : [],
  );

interface CategoriesOfEditionProps extends Omit<CategoryChoicesProps, 'versions' | 'read'> {
  edition: LanguageScopeInput;
  names: Map<string, string>;
}

function CategoriesOfEdition({
  edition: { projectVersionId, languageCode },
  names,
  chosen,
  onChange,
}: CategoriesOfEditionProps) {
  const { categories, fetching, error } = useCategories({ projectVersionId, languageCode });
  const options = categories.map(({ value: categoryId, ...option }) => {
    const value = { projectVersionId, categoryId, languageCode };
    return { ...option, key: categoryKeyOf(value), value };
  });
  const change = (next: CategoryScopeInput[]) => {
    for (const { key, label } of options) names.set(key, label);
    onChange(next);
  };
  return (
    <>
      <QueryState fetching={fetching} error={error} />
      {!fetching && (
        <CheckList
          legend="Categories"
          options={options}
          chosen={chosen}
          keyOf={categoryKeyOf}
          labelOf={(scope) => names.get(categoryKeyOf(scope)) ?? scope.categoryId}
          onChange={change}
        />
      )}
    </>
  );
}
