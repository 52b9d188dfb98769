import { scopeText } from './access-scope.ts';
import { FieldChanges, withFieldName } from './field-changes.tsx';
import { FocusedHeading } from './fields.tsx';
import type { PreviewUpdateReaderGroupMutation } from './generated/graphql.ts';
import { type Joining, type Member, memberOfInvited, memberOfReader } from './reader-group-draft.ts';

type Result = PreviewUpdateReaderGroupMutation['previewUpdateReaderGroup'];
type Preview = Extract<Result, { __typename: 'UpdateReaderGroupPreview' }>;

interface ReaderGroupPreviewProps {
  preview: Preview;
  joining: Joining;
  onSave: () => void;
}

export function ReaderGroupPreview({ preview, joining, onSave }: ReaderGroupPreviewProps) {
  const { readerGroup, changes, issues } = preview;
  const removed = [
    ...preview.removedReaderIds.map((id, index) => {
      const reader = preview.removedReaders?.[index];
      return reader ? memberOfReader(reader) : { id, name: id };
    }),
    ...preview.removedInvitedSsoUserIds.map((id, index) => {
      const user = preview.removedInvitedSsoUsers?.[index];
      return user ? memberOfInvited(user) : { id, name: id };
    }),
  ];
  const added = [
    ...joining.readers.filter(({ id }) => preview.addedReaderIds.includes(id)),
    ...joining.invited.filter(({ id }) => preview.addedInvitedSsoUserIds.includes(id)),
  ];
  const isSame = changes.length + removed.length + added.length === 0 && !preview.changesAccessScope;
  const access = { field: 'access', from: scopeText(readerGroup.accessScope), to: scopeText(preview.accessScope) };
  return (
    <section className="notice" aria-labelledby="preview">
      <FocusedHeading level={3} id="preview">
        {isSame ? 'Nothing would change.' : 'This would change:'}
      </FocusedHeading>
      <FieldChanges changes={[...changes.map(withFieldName), ...(preview.changesAccessScope ? [access] : [])]} />
      <Members title="Members to be added" members={added} className="good" />
      <Members title="Members to be removed" members={removed} className="issue" />
      {issues.map(({ message }) => (
        <p key={message} className="issue">
          {message}
        </p>
      ))}
      <button type="button" className="primary" disabled={isSame || !preview.wouldSucceed} onClick={onSave}>
        Save
      </button>
    </section>
  );
}

function Members({ title, members, className }: { title: string; members: readonly Member[]; className: string }) {
  if (members.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul aria-label={title} className={className}>
        {members.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </>
  );
}
