import { useState } from 'react';
import { useCategories } from '../articles/categories.ts';
import type { AccessScopeFieldsFragment, AccessScopeInput, LanguageScopeInput } from '../generated/graphql.ts';
import { Check, Choice } from '../parts.tsx';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { LEVEL_NAMES } from './access-scope.ts';

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

interface ScopeFieldProps {
  /** The scope; null for one of an unknown level, which is kept until another one is chosen. */
  scope: AccessScopeInput | null;
  /** The scope as it was read, with names. */
  read: AccessScopeFieldsFragment;
  onChange: (scope: AccessScopeInput) => void;
}

export function ScopeField({ scope, onChange, ...props }: ScopeFieldProps) {
  return (
    <fieldset>
      <legend>What the group may read</legend>
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
      {scope ? <Choices {...{ ...props, scope, onChange }} /> : <p className="hint">It stays until you choose one.</p>}
    </fieldset>
  );
}

function Choices({ scope, onChange, ...props }: ScopeFieldProps & { scope: AccessScopeInput }) {
  const { versions } = useShared();
  if (scope.projectVersionIds)
    return (
      <CheckList
        options={versions.map(({ projectVersionId, name }) => [name, projectVersionId])}
        chosen={scope.projectVersionIds}
        onChange={(projectVersionIds) => onChange({ projectVersionIds })}
      />
    );
  if (scope.languages)
    return (
      <CheckList
        options={versionLanguagesOf(versions)}
        chosen={scope.languages}
        onChange={(languages) => onChange({ languages })}
      />
    );
  return scope.categories ? <Categories {...{ ...props, onChange }} chosen={scope.categories} /> : null;
}

const versionLanguagesOf = (versions: ProjectVersions): readonly (readonly [string, LanguageScopeInput])[] =>
  versions.flatMap(({ projectVersionId, name, languages }) =>
    (languages ?? []).map(
      (language) => [`${name} · ${language.name}`, { projectVersionId, languageCode: language.code }] as const,
    ),
  );

type CategoriesProps = Omit<ScopeFieldProps, 'scope'> & { chosen: NonNullable<AccessScopeInput['categories']> };

/** Selects categories of one version and language at a time. Those of others are kept, and can be removed. */
function Categories({ read, chosen, onChange }: CategoriesProps) {
  const { versions } = useShared();
  const versionLanguages = versionLanguagesOf(versions);
  const first = chosen[0] && keyOf({ ...chosen[0], categoryId: null });
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      versionLanguages.findIndex(([, versionLanguage]) => keyOf(versionLanguage) === first),
    ),
  );
  const versionLanguage = versionLanguages[index]?.[1] ?? { projectVersionId: '', languageCode: '' };
  const categories = useCategories(versionLanguage);
  const named = read.__typename === 'CategoryAccessScope' ? read.categories : [];
  return (
    <>
      <Choice
        label="Version and language"
        value={String(index)}
        options={versionLanguages.map(([name], at) => [String(at), name] as const)}
        onChange={(at) => setIndex(Number(at))}
      />
      <CheckList
        options={categories.map(({ categoryId, path }) => [path, { ...versionLanguage, categoryId }])}
        chosen={chosen}
        nameOf={(scope) => named.find((other) => keyOf(other) === keyOf(scope))?.category?.name ?? scope.categoryId}
        onChange={(next) => onChange({ categories: next })}
      />
    </>
  );
}

/** The key of a choice, whatever the order of its members. */
function keyOf(value: string | (LanguageScopeInput & { readonly categoryId?: string | null })): string {
  if (typeof value === 'string') return value;
  return JSON.stringify([value.projectVersionId, value.languageCode, value.categoryId ?? null]);
}

interface CheckListProps<Value extends string | LanguageScopeInput> {
  options: readonly (readonly [string, Value])[];
  chosen: readonly Value[];
  /** The name of a chosen value that is not among the options. */
  nameOf?: (value: Value) => string;
  onChange: (chosen: Value[]) => void;
}

function CheckList<Value extends string | LanguageScopeInput>(props: CheckListProps<Value>) {
  const { options, chosen, nameOf = (value: Value) => keyOf(value), onChange } = props;
  const known = new Set(options.map(([, value]) => keyOf(value)));
  const others = chosen.filter((value) => !known.has(keyOf(value))).map((value) => [nameOf(value), value] as const);
  const isChosen = (value: Value) => chosen.some((other) => keyOf(other) === keyOf(value));
  const toggle = (value: Value) =>
    onChange(isChosen(value) ? chosen.filter((other) => keyOf(other) !== keyOf(value)) : [...chosen, value]);
  return (
    <div>
      {[...options, ...others].map(([name, value]) => (
        <Check key={keyOf(value)} label={name} checked={isChosen(value)} onChange={() => toggle(value)} />
      ))}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </div>
  );
}
