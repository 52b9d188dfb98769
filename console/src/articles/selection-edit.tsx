import { useState } from 'react';
import { Choice } from '../parts.tsx';
import { useShared } from '../shared.ts';
import type { CategoryChoice } from './categories.ts';
import { choicesOf, readCell } from './cell-values.ts';
import { MEMBER_NAMES } from './edits.ts';
import type { Selection } from './selection.ts';

const MEMBERS = (['hidden', 'categoryId', 'translationStatus'] as const).map(
  (member) => [member, MEMBER_NAMES[member]] as const,
);

interface SelectionEditProps {
  selection: Selection;
  categories: readonly CategoryChoice[];
}

/** Gives all selected articles one value. This is an unsent change like others. */
export function SelectionEdit({ selection, categories }: SelectionEditProps) {
  const { actions } = useShared();
  const [member, setMember] = useState<(typeof MEMBERS)[number][0]>('hidden');
  const apply = (text: string) => {
    const read = readCell(member, text, categories);
    if ('change' in read) actions.edit([...selection.articles.values()].map((article) => [article, read.change]));
  };
  const values = choicesOf(member, categories) ?? [];
  return (
    <>
      <Choice label="Set" value={member} options={MEMBERS} onChange={setMember} />
      <Choice
        label="to"
        value=""
        placeholder="choose"
        options={values.map(([, value]) => [value, value] as const)}
        onChange={apply}
      />
    </>
  );
}
