import { useState } from 'react';
import type { WorkActions } from '../work.ts';
import type { CategoryChoice } from './categories.ts';
import { readCell, TRANSLATIONS, WRITTEN_TRANSLATIONS } from './cell-values.ts';
import { MEMBER_NAMES, type Member } from './edits.ts';
import type { Selection } from './selection.ts';

const MEMBERS = ['hidden', 'categoryId', 'translationStatus'] as const satisfies readonly Member[];

interface SelectionEditProps {
  selection: Selection;
  categories: readonly CategoryChoice[];
  actions: WorkActions;
}

/** Gives all selected articles one value. It is a change like others, which is not sent yet. */
export function SelectionEdit({ selection, categories, actions }: SelectionEditProps) {
  const [member, setMember] = useState<(typeof MEMBERS)[number]>('hidden');
  const values = {
    hidden: ['Hidden', 'Shown'],
    categoryId: categories.map(({ path }) => path),
    translationStatus: WRITTEN_TRANSLATIONS.map((status) => TRANSLATIONS[status]),
  }[member];
  const apply = (text: string) => {
    const read = readCell(member, text, categories);
    if ('change' in read) actions.edit([...selection.articles.values()].map((article) => [article, read.change]));
  };
  return (
    <>
      <label>
        Set{' '}
        <select
          value={member}
          onChange={({ target }) => setMember(MEMBERS.find((name) => name === target.value) ?? 'hidden')}
        >
          {MEMBERS.map((name) => (
            <option key={name} value={name}>
              {MEMBER_NAMES[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        to{' '}
        <select value="" onChange={({ target }) => apply(target.value)}>
          <option value="" disabled>
            choose
          </option>
          {values.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </select>
      </label>
    </>
  );
}
