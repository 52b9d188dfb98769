import { type ReactNode, useEffect, useId, useRef } from 'react';
import { editionKeyOf, editionsOf, type Option, type ProjectVersion } from './choices.ts';
import type { LanguageScopeInput } from './generated/graphql.ts';

interface FocusedHeadingProps {
  level: 2 | 3;
  id?: string;
  children: ReactNode;
}

/** The heading of what has just appeared. It takes the focus, since what was pressed may have disappeared. */
export function FocusedHeading({ level, id, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const Tag = `h${level}` as const;
  return (
    <Tag id={id} ref={heading} tabIndex={-1}>
      {children}
    </Tag>
  );
}

/** Focuses what is around a control that is about to disappear: a group of fields, or the whole page. */
export const focusAround = (control: Element) =>
  control.parentElement?.closest<HTMLElement>('fieldset[tabindex], main')?.focus();

interface TextFieldProps {
  label: string;
  value: string;
  /** The problem that the gateway reports for the value. */
  issue: string | undefined;
  onChange: (value: string) => void;
}

export function TextField({ label, value, issue, onChange }: TextFieldProps) {
  const id = useId();
  return (
    <p className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-issue`}
        onChange={(event) => onChange(event.target.value)}
      />
      <span id={`${id}-issue`} className="issue">
        {issue}
      </span>
    </p>
  );
}

interface CheckListProps<T> {
  legend: string;
  options: readonly Option<T>[];
  chosen: readonly T[];
  keyOf: (item: T) => string;
  /** The label of a chosen item that is not among the options. */
  labelOf?: (item: T) => string;
  onChange: (chosen: T[]) => void;
}

/**
 * A list of choices, of which at least one is required. Chosen items that are not among the options, such as those of
 * another version, can only be removed.
 */
export function CheckList<T>({ legend, options, chosen, keyOf, labelOf = keyOf, onChange }: CheckListProps<T>) {
  const isChosen = ({ key }: Option<T>) => chosen.some((item) => keyOf(item) === key);
  const without = (key: string) => chosen.filter((item) => keyOf(item) !== key);
  const toggle = (option: Option<T>) => onChange(isChosen(option) ? without(option.key) : [...chosen, option.value]);
  const others = chosen.filter((item) => options.every(({ key }) => key !== keyOf(item)));
  return (
    <fieldset className="scroll" tabIndex={-1}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.key} style={{ marginInlineStart: `${(option.depth ?? 0) * 1.5}rem` }}>
          <input type="checkbox" checked={isChosen(option)} onChange={() => toggle(option)} />
          {option.label}
        </label>
      ))}
      {others.map((item) => (
        <p key={keyOf(item)} className="inline">
          {labelOf(item)}
          <button
            type="button"
            aria-label={`Remove ${labelOf(item)}`}
            onClick={({ currentTarget }) => {
              focusAround(currentTarget);
              onChange(without(keyOf(item)));
            }}
          >
            ✕
          </button>
        </p>
      ))}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </fieldset>
  );
}

interface EditionSelectProps {
  versions: readonly ProjectVersion[];
  edition: LanguageScopeInput;
  onChange: (edition: LanguageScopeInput) => void;
}

export function EditionSelect({ versions, edition, onChange }: EditionSelectProps) {
  const editions = editionsOf(versions);
  const choose = (key: string) => {
    const chosen = editions.find((option) => option.key === key);
    if (chosen) onChange(chosen.value);
  };
  return (
    <label className="inline">
      Version and language
      <select value={editionKeyOf(edition)} onChange={(event) => choose(event.target.value)}>
        {editions.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
