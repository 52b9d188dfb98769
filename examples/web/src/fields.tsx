import { useId } from 'react';
import { type Option, type ProjectVersion, placeKeyOf, placesOf } from './choices.ts';
import type { LanguageScopeInput } from './generated/operations.ts';

interface TextFieldProps {
  label: string;
  value: string;
  /** What the gateway finds wrong with it. */
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
  chosen: readonly Option<T>[];
  onChange: (chosen: readonly Option<T>[]) => void;
}

/** At least one is to be chosen. What is chosen and not among the options (of another version, say) can only be removed. */
export function CheckList<T>({ legend, options, chosen, onChange }: CheckListProps<T>) {
  const isChosen = ({ key }: Option<T>) => chosen.some((option) => option.key === key);
  const without = ({ key }: Option<T>) => chosen.filter((option) => option.key !== key);
  const toggle = (option: Option<T>) => onChange(isChosen(option) ? without(option) : [...chosen, option]);
  const elsewhere = chosen.filter(({ key }) => options.every((option) => option.key !== key));
  return (
    <fieldset className="scroll">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.key} style={{ marginInlineStart: `${(option.depth ?? 0) * 1.5}rem` }}>
          <input type="checkbox" checked={isChosen(option)} onChange={() => toggle(option)} />
          {option.label}
        </label>
      ))}
      {elsewhere.map((option) => (
        <p key={option.key} className="inline">
          {option.label}
          <button type="button" aria-label={`Remove ${option.label}`} onClick={() => toggle(option)}>
            ✕
          </button>
        </p>
      ))}
      {chosen.length === 0 && <p className="hint">Choose at least one.</p>}
    </fieldset>
  );
}

interface PlaceSelectProps {
  versions: readonly ProjectVersion[];
  place: LanguageScopeInput;
  onChange: (place: LanguageScopeInput) => void;
}

export function PlaceSelect({ versions, place, onChange }: PlaceSelectProps) {
  const places = placesOf(versions);
  const choose = (key: string) => {
    const chosen = places.find((option) => option.key === key);
    if (chosen) onChange(chosen.value);
  };
  return (
    <label className="inline">
      Version and language
      <select value={placeKeyOf(place)} onChange={(event) => choose(event.target.value)}>
        {places.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
