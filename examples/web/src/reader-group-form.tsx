import { type SubmitEvent, useState } from 'react';
import { inputOf } from './access-scope.ts';
import { AccessScopeField } from './access-scope-field.tsx';
import type { ProjectVersion } from './choices.ts';
import type { InputIssue } from './error-notice.tsx';
import { TextField } from './fields.tsx';
import type { ReaderGroupFieldsFragment, UpdateReaderGroupInput } from './generated/graphql.ts';
import { GroupMembers } from './group-members.tsx';
import { draftOfGroup, type GroupDraft, inputOfGroup, isEdited, type Joining } from './reader-group-draft.ts';
import { useUnsaved } from './unsaved-changes.tsx';

interface ReaderGroupFormProps {
  group: ReaderGroupFieldsFragment;
  versions: readonly ProjectVersion[];
  issues: readonly InputIssue[];
  /** True when what is typed was written. */
  isSaved: boolean;
  onEdit: () => void;
  onPreview: (input: UpdateReaderGroupInput, joining: Joining) => void;
}

export function ReaderGroupForm({ group, versions, issues, isSaved, onEdit, onPreview }: ReaderGroupFormProps) {
  const [draft, setDraft] = useState(() => draftOfGroup(group));
  const input = inputOfGroup(group, draft);
  useUnsaved(!isSaved && isEdited(group, draft));
  const edit = (change: Partial<GroupDraft>) => {
    setDraft({ ...draft, ...change });
    onEdit();
  };
  const preview = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (input) onPreview(input, draft.joining);
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
      <GroupMembers group={group} draft={draft} onEdit={edit} />
      <button type="submit" className="primary" disabled={input === null}>
        Preview
      </button>
    </form>
  );
}

const issueAt = (issues: readonly InputIssue[], field: string): string | undefined =>
  issues.find(({ path }) => path[1] === field)?.message;
