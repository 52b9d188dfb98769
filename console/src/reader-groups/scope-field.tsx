import { useState } from 'react';
import { CategoriesDocument } from '../generated/graphql.ts';
import { Choice, Problem } from '../parts.tsx';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { useAnswer } from '../use-answer.ts';
import { type ChosenScope, LEVEL_NAMES, LEVELS, type Scope, type ScopeItem, without } from './access-scope.ts';
import { branchOf, type Option, Ticks } from './ticks.tsx';

interface ScopeFieldProps {
  scope: Scope;
  read: Scope;
  onChange: (scope: ChosenScope) => void;
}

/** What a group may read. Level 6 can only be kept: nothing says what it means. */
export function ScopeField({ scope: { level, items }, read, onChange }: ScopeFieldProps) {
  const { versions } = useShared();
  const languages = versionLanguagesOf(versions);
  const choose = (chosen: readonly ScopeItem[]) => level !== 'UNRECOGNIZED' && onChange({ level, items: chosen });
  return (
    <fieldset className="stack">
      <legend>
        <strong>What the group may read</strong>
      </legend>
      {LEVELS.filter((one) => one !== 'LEVEL_6' || read.level === one).map((one) => (
        <label key={one} className="inline">
          <input
            type="radio"
            name="scope"
            checked={one === level}
            onChange={() => onChange({ level: one, items: [] })}
          />
          {LEVEL_NAMES[one]}
        </label>
      ))}
      {level === 'UNRECOGNIZED' && <p className="hint">It stays until you choose one.</p>}
      {level === 'VERSION' && (
        <Ticks
          label="Versions"
          options={withOthers(
            versions.map(({ projectVersionId, name }) => ({ projectVersionId, name })),
            items,
          )}
          chosen={items}
          onChange={choose}
        />
      )}
      {level === 'LANGUAGE' && (
        <Ticks label="Languages" options={withOthers(languages, items)} chosen={items} onChange={choose} />
      )}
      {level === 'CATEGORY' && <Categories languages={languages} chosen={items} onChange={choose} />}
    </fieldset>
  );
}

/** Options with the chosen items that are not among them, so that these can be unticked. */
const withOthers = (options: readonly Option[], chosen: readonly ScopeItem[]): readonly Option[] => [
  ...options,
  ...without(chosen, options.flatMap(branchOf)).map((item) => ({ ...item, name: `${item.name} (not listed)` })),
];

interface LanguageItem extends ScopeItem {
  readonly languageCode: string;
}

const versionLanguagesOf = (versions: ProjectVersions): readonly LanguageItem[] =>
  versions.flatMap(({ projectVersionId, name, languages }) =>
    (languages ?? []).map((language) => ({
      name: `${name} · ${language.name}`,
      projectVersionId,
      languageCode: language.code,
    })),
  );

interface CategoriesProps {
  languages: readonly LanguageItem[];
  chosen: readonly ScopeItem[];
  onChange: (chosen: readonly ScopeItem[]) => void;
}

interface Category {
  readonly categoryId: string;
  readonly name: string;
  readonly children?: readonly Category[] | null;
}

/** Selects categories of one version and language at a time. Those of others are kept. */
function Categories({ languages, chosen, onChange }: CategoriesProps) {
  const inLanguage = ({ projectVersionId, languageCode }: LanguageItem) =>
    chosen.filter((item) => item.projectVersionId === projectVersionId && item.languageCode === languageCode);
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      languages.findIndex((language) => inLanguage(language).length > 0),
    ),
  );
  const language = languages[index] ?? { name: '', projectVersionId: '', languageCode: '' };
  const { name: _, ...variables } = language;
  const { data, problem, isLoading } = useAnswer(CategoriesDocument, { variables });
  const optionOf = ({ categoryId, name, children }: Category): Option => ({
    ...variables,
    categoryId,
    name,
    children: (children ?? []).map(optionOf),
  });
  const elsewhere = languages.filter((one) => one !== language).flatMap(inLanguage);
  const here = without(chosen, elsewhere);
  return (
    <>
      <Choice
        label="Version and language"
        value={String(index)}
        options={languages.map((one, at) => [
          String(at),
          inLanguage(one).length > 0 ? `${one.name} (${inLanguage(one).length} chosen)` : one.name,
        ])}
        onChange={(at) => setIndex(Number(at))}
      />
      <Problem text={problem} />
      {isLoading || !data ? (
        <p className="hint">{problem === null && 'Loading…'}</p>
      ) : (
        <Ticks
          key={index}
          label="Categories"
          options={withOthers((data.categories ?? []).map(optionOf), here)}
          chosen={here}
          onChange={(categories) => onChange([...elsewhere, ...categories])}
        />
      )}
      <p className="hint">{chosen.length} chosen in all versions and languages.</p>
    </>
  );
}
