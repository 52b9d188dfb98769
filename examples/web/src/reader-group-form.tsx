import { type SubmitEvent, useState } from 'react';
import { inputOf } from './access-scope.ts';
import { AccessScopeField } from './access-scope-field.tsx';
import type { ProjectVersion } from './choices.ts';
import type { InputIssue } from './error-notice.tsx';
import { TextField } from './fields.tsx';
import type { ReaderGroupFieldsFragment, UpdateReaderGroupInput } from './generated/operations.ts';
import {
  draftOfGroup,
  type GroupDraft,
  inputOfGroup,
  invitedOf,
  type Member,
  readersOf,
} from './reader-group-draft.ts';

interface ReaderGroupFormProps {
  group: ReaderGroupFieldsFragment;
  versions: readonly ProjectVersion[];
  issues: readonly InputIssue[];
  onEdit: () => void;
  onPreview: (input: UpdateReaderGroupInput) => void;
}

export function ReaderGroupForm({ group, versions, issues, onEdit, onPreview }: ReaderGroupFormProps) {
  const [draft, setDraft] = useState(() => draftOfGroup(group));
  const input = inputOfGroup(group, draft);
  const edit = (change: Partial<GroupDraft>) => {
    setDraft({ ...draft, ...change });
    onEdit();
  };
  const preview = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (input) onPreview(input);
  };
  return (
    <form onSubmit={preview}>
      <TextField
        label="Title"
        value={draft.title}
        issue={issueAt(issues, 'title')}
        onChange={(title) => edit({ title })}
      />
      <TextField
        label="Description"
        value={draft.description}
        issue={issueAt(issues, 'description')}
        onChange={(description) => edit({ description })}
      />
      <AccessScopeField
        scope={draft.scope ?? inputOf(group.accessScopeInput)}
        read={group.accessScope}
        versions={versions}
        onChange={(scope) => edit({ scope })}
      />
      <MemberList
        legend="Readers"
        members={readersOf(group)}
        total={group.readerIds.length}
        leaving={draft.readersLeaving}
        onChange={(readersLeaving) => edit({ readersLeaving })}
      />
      <MemberList
        legend="Invited people"
        members={invitedOf(group)}
        total={group.invitedSsoUserIds.length}
        leaving={draft.invitedLeaving}
        onChange={(invitedLeaving) => edit({ invitedLeaving })}
      />
      <button type="submit" className="primary" disabled={input === null}>
        Preview
      </button>
    </form>
  );
}

const issueAt = (issues: readonly InputIssue[], field: string): string | undefined =>
  issues.find(({ path }) => path[1] === field)?.message;

interface MemberListProps {
  legend: string;
  members: readonly Member[];
  /** The number of members, including those that were not read. */
  total: number;
  leaving: readonly string[];
  onChange: (leaving: readonly string[]) => void;
}

function MemberList({ legend, members, total, leaving, onChange }: MemberListProps) {
  if (total === 0) return null;
  const toggle = (id: string) =>
    onChange(leaving.includes(id) ? leaving.filter((other) => other !== id) : [...leaving, id]);
  return (
    <fieldset className="scroll">
      <legend>{legend} who stay</legend>
      {members.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={!leaving.includes(id)} onChange={() => toggle(id)} />
          {name}
        </label>
      ))}
      {total > members.length && <p className="hint">{total - members.length} more stay as they are.</p>}
    </fieldset>
  );
}
