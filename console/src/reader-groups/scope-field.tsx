import { useState } from 'react';
import {
  type AccessScopeFieldsFragment,
  type AccessScopeInput,
  CategoriesDocument,
  type LanguageScopeInput,
} from '../generated/graphql.ts';
import { Choice, Problem } from '../parts.tsx';
import type { ProjectVersions } from '../session.ts';
import { useShared } from '../shared.ts';
import { useAnswer } from '../use-answer.ts';
import { LEVEL_NAMES, namesIn, type ScopeItem, scopeKeyOf } from './access-scope.ts';
import { type Option, Ticks } from './ticks.tsx';

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

/** What a group may read. Level 6 can only be kept: nothing says what it means. */
export function ScopeField({ scope, read, onChange }: ScopeFieldProps) {
  const { versions } = useShared();
  const languages = versionLanguagesOf(versions);
  return (
    <fieldset className="stack">
      <legend>
        <strong>What the group may read</strong>
      </legend>
      {KINDS.filter(({ start }) => start.level !== 'LEVEL_6' || read.level === 'LEVEL_6').map(({ label, start }) => (
        <label key={label} className="inline">
          <input
            type="radio"
            name="scope"
            checked={scope !== null && kindOf(scope) === kindOf(start)}
            onChange={() => onChange(start)}
          />
          {label}
        </label>
      ))}
      {scope === null && <p className="hint">It stays until you choose one.</p>}
      {scope?.projectVersionIds && (
        <Ticks
          label="Versions"
          options={withOthers(
            versions.map(({ projectVersionId, name }) => ({ value: projectVersionId, name })),
            scope.projectVersionIds,
            read,
          )}
          chosen={scope.projectVersionIds}
          onChange={(projectVersionIds) => onChange({ projectVersionIds })}
        />
      )}
      {scope?.languages && (
        <Ticks
          label="Languages"
          options={withOthers(languages, scope.languages, read)}
          chosen={scope.languages}
          onChange={(chosen) => onChange({ languages: chosen })}
        />
      )}
      {scope?.categories && (
        <Categories languages={languages} read={read} chosen={scope.categories} onChange={onChange} />
      )}
    </fieldset>
  );
}

/** Options with the chosen values that are not among them, so that these can be unticked. */
function withOthers<Value extends ScopeItem>(
  options: readonly Option<Value>[],
  chosen: readonly Value[],
  read: AccessScopeFieldsFragment,
): readonly Option<Value>[] {
  const keysOf = ({ value, children = [] }: Option<Value>): readonly string[] => [
    scopeKeyOf(value),
    ...children.flatMap(keysOf),
  ];
  const listed = new Set(options.flatMap(keysOf));
  const others = chosen.filter((value) => !listed.has(scopeKeyOf(value)));
  return [
    ...options,
    ...others.map((value) => ({ value, name: `${namesIn(read).get(scopeKeyOf(value))} (not listed)` })),
  ];
}

const versionLanguagesOf = (versions: ProjectVersions): readonly Option<LanguageScopeInput>[] =>
  versions.flatMap(({ projectVersionId, name, languages }) =>
    (languages ?? []).map((language) => ({
      name: `${name} · ${language.name}`,
      value: { projectVersionId, languageCode: language.code },
    })),
  );

interface CategoriesProps extends Omit<ScopeFieldProps, 'scope'> {
  languages: readonly Option<LanguageScopeInput>[];
  chosen: NonNullable<AccessScopeInput['categories']>;
}

interface Category {
  readonly categoryId: string;
  readonly name: string;
  readonly children?: readonly Category[] | null;
}

/** Selects categories of one version and language at a time. Those of others are kept. */
function Categories({ languages, read, chosen, onChange }: CategoriesProps) {
  const inLanguage = ({ value }: Option<LanguageScopeInput>) =>
    chosen.filter((scope) => scopeKeyOf({ ...scope, categoryId: null }) === scopeKeyOf(value));
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      languages.findIndex((language) => inLanguage(language).length > 0),
    ),
  );
  const language = languages[index] ?? { name: '', value: { projectVersionId: '', languageCode: '' } };
  const { data, problem, isLoading } = useAnswer(CategoriesDocument, { variables: language.value });
  const optionOf = ({ categoryId, name, children }: Category): Option<CategoriesProps['chosen'][number]> => ({
    name,
    value: { ...language.value, categoryId },
    children: (children ?? []).map(optionOf),
  });
  const elsewhere = languages.filter((one) => one !== language).flatMap(inLanguage);
  const here = chosen.filter((scope) => !elsewhere.includes(scope));
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
          options={withOthers((data.categories ?? []).map(optionOf), here, read)}
          chosen={here}
          onChange={(categories) => onChange({ categories: [...elsewhere, ...categories] })}
        />
      )}
      <p className="hint">{chosen.length} chosen in all versions and languages.</p>
    </>
  );
}
