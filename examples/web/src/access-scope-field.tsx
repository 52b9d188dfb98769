import { useState } from 'react';
import { LEVEL_NAMES, type ScopeDraft } from './access-scope.ts';
import {
  categoryKeyOf,
  defaultEditionOf,
  editionsOf,
  type Option,
  type ProjectVersion,
  useCategories,
} from './choices.ts';
import { CheckList, EditionSelect } from './fields.tsx';
import type { CategoryScopeInput, LanguageScopeInput } from './generated/operations.ts';
import { QueryState } from './query-state.tsx';

/** The initial draft of each radio button. */
const KINDS: readonly { label: string; start: ScopeDraft }[] = [
  { label: LEVEL_NAMES.NONE, start: { kind: 'level', level: 'NONE' } },
  { label: LEVEL_NAMES.PROJECT, start: { kind: 'level', level: 'PROJECT' } },
  { label: LEVEL_NAMES.VERSION, start: { kind: 'projectVersions', chosen: [] } },
  { label: LEVEL_NAMES.LANGUAGE, start: { kind: 'languages', chosen: [] } },
  { label: LEVEL_NAMES.CATEGORY, start: { kind: 'categories', chosen: [] } },
  { label: LEVEL_NAMES.ARTICLE, start: { kind: 'level', level: 'ARTICLE' } },
  { label: LEVEL_NAMES.LEVEL_6, start: { kind: 'level', level: 'LEVEL_6' } },
];

const isKind = (draft: ScopeDraft | null, start: ScopeDraft): boolean =>
  draft?.kind === start.kind && (draft.kind !== 'level' || start.kind !== 'level' || draft.level === start.level);

interface AccessScopeFieldProps {
  draft: ScopeDraft | null;
  versions: readonly ProjectVersion[];
  onChange: (draft: ScopeDraft) => void;
}

export function AccessScopeField({ draft, versions, onChange }: AccessScopeFieldProps) {
  return (
    <fieldset>
      <legend>What the group may read</legend>
      <div className="choices">
        {KINDS.map(({ label, start }) => (
          <label key={label}>
            <input type="radio" name="scope" checked={isKind(draft, start)} onChange={() => onChange(start)} />
            {label}
          </label>
        ))}
      </div>
      {draft ? (
        <ScopeChoices draft={draft} versions={versions} onChange={onChange} />
      ) : (
        <p className="hint">Choose one.</p>
      )}
    </fieldset>
  );
}

interface ScopeChoicesProps extends AccessScopeFieldProps {
  draft: ScopeDraft;
}

function ScopeChoices({ draft, versions, onChange }: ScopeChoicesProps) {
  switch (draft.kind) {
    case 'level':
      return null;
    case 'projectVersions': {
      const options = versions.map(({ projectVersionId: id, name }) => ({ key: id, label: name, value: id }));
      const choose = (chosen: readonly Option<string>[]) => onChange({ ...draft, chosen });
      return <CheckList legend="Versions" options={options} chosen={draft.chosen} onChange={choose} />;
    }
    case 'languages': {
      const choose = (chosen: readonly Option<LanguageScopeInput>[]) => onChange({ ...draft, chosen });
      return <CheckList legend="Languages" options={editionsOf(versions)} chosen={draft.chosen} onChange={choose} />;
    }
    case 'categories': {
      const choose = (chosen: readonly Option<CategoryScopeInput>[]) => onChange({ ...draft, chosen });
      return <CategoryChoices versions={versions} chosen={draft.chosen} onChange={choose} />;
    }
  }
}

interface CategoryChoicesProps {
  versions: readonly ProjectVersion[];
  chosen: readonly Option<CategoryScopeInput>[];
  onChange: (chosen: readonly Option<CategoryScopeInput>[]) => void;
}

function CategoryChoices({ versions, chosen, onChange }: CategoryChoicesProps) {
  const [edition, setEdition] = useState<LanguageScopeInput | undefined>(
    () => chosen[0]?.value ?? defaultEditionOf(versions)?.value,
  );
  if (!edition) return <p className="hint">There is no version with a language to choose categories from.</p>;
  return (
    <>
      <EditionSelect versions={versions} edition={edition} onChange={setEdition} />
      <CategoriesOfEdition edition={edition} chosen={chosen} onChange={onChange} />
    </>
  );
}

interface CategoriesOfEditionProps extends Omit<CategoryChoicesProps, 'versions'> {
  edition: LanguageScopeInput;
}

function CategoriesOfEdition({
  edition: { projectVersionId, languageCode },
  chosen,
  onChange,
}: CategoriesOfEditionProps) {
  const { categories, fetching, error } = useCategories({ projectVersionId, languageCode });
  const options = categories.map(({ value: categoryId, ...option }) => {
    const value = { projectVersionId, categoryId, languageCode };
    return { ...option, key: categoryKeyOf(value), value };
  });
  return (
    <>
      <QueryState fetching={fetching} error={error} />
      {!fetching && <CheckList legend="Categories" options={options} chosen={chosen} onChange={onChange} />}
    </>
  );
}
