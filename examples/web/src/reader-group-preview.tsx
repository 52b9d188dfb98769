import { scopeText } from './access-scope.ts';
import { FieldChanges, withFieldName } from './field-changes.tsx';
import type { PreviewUpdateReaderGroupMutation } from './generated/operations.ts';
import { memberOfInvited, memberOfReader } from './reader-group-draft.ts';

type Result = PreviewUpdateReaderGroupMutation['previewUpdateReaderGroup'];
type Preview = Extract<Result, { __typename: 'UpdateReaderGroupPreview' }>;

export function ReaderGroupPreview({ preview, onSave }: { preview: Preview; onSave: () => void }) {
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
  const isSame = changes.length === 0 && !preview.changesAccessScope && removed.length === 0;
  const access = { field: 'access', from: scopeText(readerGroup.accessScope), to: scopeText(preview.accessScope) };
  return (
    <section className="notice" aria-labelledby="preview">
      <h3 id="preview">{isSame ? 'Nothing would change.' : 'This would change:'}</h3>
      <FieldChanges changes={[...changes.map(withFieldName), ...(preview.changesAccessScope ? [access] : [])]} />
      {removed.length > 0 && (
        <>
          <h4>Members to be removed</h4>
          <ul aria-label="Members to be removed" className="issue">
            {removed.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </>
      )}
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
