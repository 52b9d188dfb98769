import { useState } from 'react';
import type { CategoryNode } from '../articles/categories.ts';
import { CategoriesDocument } from '../generated/graphql.ts';
import { Button, Check, Choice, Problem, SearchField } from '../parts.tsx';
import type { ProjectVersions } from '../session.ts';
import { useAnswer, useShared } from '../shared.ts';
import { type ChosenScope, keyOf, LEVEL_NAMES, LEVELS, type Scope, type ScopeItem, without } from './access-scope.ts';

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
      {level === 'VERSION' && <Ticks label="Versions" options={versions} chosen={items} onChange={choose} />}
      {level === 'LANGUAGE' && <Ticks label="Languages" options={languages} chosen={items} onChange={choose} />}
      {level === 'CATEGORY' && <Categories languages={languages} chosen={items} onChange={choose} />}
    </fieldset>
  );
}

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
  const optionOf = ({ categoryId, name, children }: CategoryNode): Option => ({
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
          options={(data.categories ?? []).map(optionOf)}
          chosen={here}
          onChange={(categories) => onChange([...elsewhere, ...categories])}
        />
      )}
      <p className="hint">{chosen.length} chosen in all versions and languages.</p>
    </>
  );
}

/** An item to choose, with those in it. */
interface Option extends ScopeItem {
  readonly children?: readonly Option[];
}

const branchOf = (option: Option): readonly Option[] => [option, ...(option.children ?? []).flatMap(branchOf)];

interface TicksProps {
  label: string;
  options: readonly Option[];
  chosen: readonly ScopeItem[];
  onChange: (chosen: readonly ScopeItem[]) => void;
}

/** Options of so many roots or more have a search. */
const MANY = 8;

/**
 * Options as a tree with ticks and a search. A tick takes all of a branch, each part of which can be unticked alone. What is
 * chosen and not among the options can be unticked, too. The check boxes of headless-tree do not fit: with them, a category is
 * ticked as soon as all below it are, also where the scope does not hold the category itself.
 */
function Ticks({ label, options, chosen, onChange }: TicksProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const others = without(chosen, options.flatMap(branchOf));
  const all: readonly Option[] = [
    ...options,
    ...others.map((item) => ({ ...item, name: `${item.name} (not listed)` })),
  ];
  const shown = all.filter((option) => isFound(option, wanted));
  const tick = (branch: readonly Option[], isTicked: boolean) => {
    const rest = without(chosen, branch);
    onChange(isTicked ? [...rest, ...branch] : rest);
  };
  return (
    <div className="boxed stack">
      {all.flatMap(branchOf).length >= MANY && (
        <SearchField label={`Search ${label.toLowerCase()}`} onChange={setText} />
      )}
      <ul aria-label={label}>
        {shown.map((option) => (
          <Branch
            key={`${keyOf(option)} ${wanted}`}
            option={option}
            text={wanted}
            ticked={new Set(chosen.map(keyOf))}
            onTick={tick}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="hint">{text === '' ? 'There are none.' : 'Nothing matches.'}</p>}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </div>
  );
}

/** True for an option with a text in its name, or in the name of one below it. */
const isFound = (option: Option, text: string): boolean =>
  branchOf(option).some(({ name }) => name.toLowerCase().includes(text));

interface BranchProps {
  option: Option;
  /** The searched text in small letters; below an option that has it, all are shown. */
  text: string;
  ticked: ReadonlySet<string>;
  onTick: (branch: readonly Option[], isTicked: boolean) => void;
}

function Branch({ option, text, ticked, onTick }: BranchProps) {
  const { name, children = [] } = option;
  const branch = branchOf(option);
  const count = branch.filter((one) => ticked.has(keyOf(one))).length;
  const isMixed = count > 0 && count < branch.length;
  const [isOpen, setIsOpen] = useState(isMixed || text !== '');
  const textBelow = name.toLowerCase().includes(text) ? '' : text;
  return (
    <li>
      <div className="inline">
        {children.length > 0 && (
          <Button className="sign" aria-label={`In ${name}`} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? '▾' : '▸'}
          </Button>
        )}
        <Check
          label={name}
          checked={count === branch.length}
          isMixed={isMixed}
          onChange={() => onTick(branch, count < branch.length)}
        />
        {isMixed && <span className="hint">{`${count} of ${branch.length}`}</span>}
      </div>
      {isOpen && (
        <ul className="below" aria-label={`In ${name}`}>
          {children
            .filter((child) => isFound(child, textBelow))
            .map((child) => (
              <Branch key={keyOf(child)} option={child} text={textBelow} ticked={ticked} onTick={onTick} />
            ))}
        </ul>
      )}
    </li>
  );
}
