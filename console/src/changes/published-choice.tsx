import { useEffect } from 'react';
import type { IfPublished } from '../generated/graphql.ts';
import { Choice, Problem } from '../parts.tsx';
import { useAccounts } from '../publication/publication.tsx';

/** What becomes of published versions, and the account of new drafts; '' until one is chosen. */
export interface PublishedRule {
  readonly ifPublished: IfPublished;
  readonly userId: string;
}

export const NEW_DRAFTS: PublishedRule = { ifPublished: 'FORK', userId: '' };

const CHOICES = [
  ['FORK', 'get a new draft'],
  ['UPDATE', 'change in place, as readers see'],
  ['SKIP', 'are left out'],
] as const;

interface PublishedChoiceProps {
  rule: PublishedRule;
  onChange: (rule: PublishedRule) => void;
}

/** The choice of what becomes of published versions. The only account is chosen. */
export function PublishedChoice({ rule, onChange }: PublishedChoiceProps) {
  const { accounts, problem } = useAccounts();
  const [only] = accounts.length === 1 ? (accounts[0] ?? []) : [];
  useEffect(() => {
    if (rule.userId === '' && only !== undefined) onChange({ ...rule, userId: only });
  });
  return (
    <>
      <Choice
        label="Published versions"
        value={rule.ifPublished}
        options={CHOICES}
        onChange={(ifPublished) => onChange({ ...rule, ifPublished })}
      />
      {rule.ifPublished === 'FORK' && (
        <Choice
          label="in the name of"
          value={rule.userId}
          placeholder="choose"
          options={accounts}
          onChange={(userId) => onChange({ ...rule, userId })}
        />
      )}
      <Problem text={problem} />
    </>
  );
}
