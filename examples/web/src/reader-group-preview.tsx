import { scopeText } from './access-scope.ts';
import { FieldChanges } from './field-changes.tsx';
import type { UpdateReaderGroupMutation } from './generated/operations.ts';
import { invitedOf, type Member, readersOf } from './reader-group-draft.ts';

type Preview = Extract<UpdateReaderGroupMutation['updateReaderGroup'], { __typename: 'UpdateReaderGroupPreview' }>;

export function ReaderGroupPreview({ preview, onSave }: { preview: Preview; onSave: () => void }) {
  const { readerGroup, changes, problems } = preview;
  const removed = [
    ...namesOf(preview.removedReaderIds, readersOf(readerGroup)),
    ...namesOf(preview.removedInvitedSsoUserIds, invitedOf(readerGroup)),
  ];
  const isSame = changes.length === 0 && removed.length === 0;
  const access = { field: 'access', from: scopeText(readerGroup.accessScope), to: scopeText(preview.accessScope) };
  return (
    <section className="notice" aria-labelledby="preview">
      <h3 id="preview">{isSame ? 'Nothing would change.' : 'This would change:'}</h3>
      <FieldChanges changes={changes.map((change) => (change.field === 'accessScope' ? access : change))} />
      {removed.length > 0 && (
        <>
          <h4>Members to be removed</h4>
          <ul aria-label="Members to be removed" className="issue">
            {removed.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </>
      )}
      {problems.map((problem) => (
        <p key={problem} className="issue">
          {problem}
        </p>
      ))}
      <button type="button" className="primary" disabled={isSame || !preview.wouldSucceed} onClick={onSave}>
        Save
      </button>
    </section>
  );
}

const namesOf = (ids: readonly string[], members: readonly Member[]): readonly string[] =>
  ids.map((id) => members.find((member) => member.id === id)?.name ?? id);
