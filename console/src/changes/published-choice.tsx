import { useEffect } from 'react';
import { type IfPublished, TeamAccountsDocument } from '../generated/graphql.ts';
import { Choice, Problem } from '../parts.tsx';
import { useAnswer } from '../shared.ts';

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

/** The choice of what becomes of published versions. */
export const PublishedChoice = ({ rule, onChange }: PublishedChoiceProps) => (
  <>
    <Choice
      label="Published versions"
      value={rule.ifPublished}
      options={CHOICES}
      onChange={(ifPublished) => onChange({ ...rule, ifPublished })}
    />
    {rule.ifPublished === 'FORK' && (
      <AccountChoice label="in the name of" userId={rule.userId} onChange={(userId) => onChange({ ...rule, userId })} />
    )}
  </>
);

const MOST_ACCOUNTS = 100;

interface AccountChoiceProps {
  label: string;
  userId: string;
  onChange: (userId: string) => void;
}

/** The choice of a team account by its name. The only one is chosen. */
export function AccountChoice({ label, userId, onChange }: AccountChoiceProps) {
  const { data, problem } = useAnswer(TeamAccountsDocument, { variables: { first: MOST_ACCOUNTS } });
  const found = (data?.teamAccounts?.nodes ?? []).map(
    ({ userId: id, firstName, lastName }) => [id, [firstName, lastName].filter(Boolean).join(' ') || id] as const,
  );
  // A plan may name an account that the list lacks.
  const isListed = userId === '' || found.some(([id]) => id === userId);
  const accounts = isListed ? found : [...found, [userId, userId] as const];
  const [only] = accounts.length === 1 ? (accounts[0] ?? []) : [];
  useEffect(() => {
    if (userId === '' && only !== undefined) onChange(only);
  });
  return (
    <>
      <Choice label={label} value={userId} placeholder="choose" options={accounts} onChange={onChange} />
      <Problem text={problem} />
    </>
  );
}
