import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import type { ProjectVersion } from './choices.ts';
import { ErrorNotice } from './error-notice.tsx';
import { FocusedHeading } from './fields.tsx';
import {
  PreviewUpdateReaderGroupDocument,
  type PreviewUpdateReaderGroupMutation,
  ReaderGroupDocument,
  type ReaderGroupFieldsFragment,
  UpdateReaderGroupDocument,
  type UpdateReaderGroupInput,
  type UpdateReaderGroupMutation,
} from './generated/graphql.ts';
import { QueryState } from './query-state.tsx';
import type { Joining } from './reader-group-draft.ts';
import { ReaderGroupForm } from './reader-group-form.tsx';
import { ReaderGroupPreview } from './reader-group-preview.tsx';

interface EditorProps {
  groupId: string;
  versions: readonly ProjectVersion[];
  onSaved: () => void;
}

export function ReaderGroupEditor({ groupId, versions, onSaved }: EditorProps) {
  const [{ data, fetching, error }, reload] = useQuery({ query: ReaderGroupDocument, variables: { groupId } });
  const reread = () => {
    reload();
    onSaved();
  };
  return (
    <section aria-labelledby="group">
      <FocusedHeading level={2} id="group">
        Change the group
      </FocusedHeading>
      {data?.readerGroup && <GroupUpdate group={data.readerGroup} versions={versions} onReread={reread} />}
      {data?.readerGroup === null && !error && <p role="alert">This group does not exist any more.</p>}
      <QueryState fetching={fetching} error={error} onRetry={reload} />
    </section>
  );
}

interface GroupUpdateProps {
  group: ReaderGroupFieldsFragment;
  versions: readonly ProjectVersion[];
  onReread: () => void;
}

type Result = NonNullable<
  UpdateReaderGroupMutation['updateReaderGroup'] | PreviewUpdateReaderGroupMutation['previewUpdateReaderGroup']
>;

interface Sent {
  input: UpdateReaderGroupInput;
  /** The people who would join, with their names. */
  joining: Joining;
  preview: boolean;
  result: Result | null;
}

/** Every write is previewed first. An edit removes the preview. */
function GroupUpdate({ group, versions, onReread }: GroupUpdateProps) {
  const [updating, update] = useMutation(UpdateReaderGroupDocument);
  const [previewing, previewUpdate] = useMutation(PreviewUpdateReaderGroupDocument);
  const [sent, setSent] = useState<Sent | null>(null);
  const { fetching, error } = sent?.preview === false ? updating : previewing;
  const send = async (request: Omit<Sent, 'result'>) => {
    const { input, preview } = request;
    setSent({ ...request, result: null });
    const result = preview
      ? ((await previewUpdate({ input })).data?.previewUpdateReaderGroup ?? null)
      : ((await update({ input })).data?.updateReaderGroup ?? null);
    setSent((current) => (current?.input === input || !preview ? { ...request, result } : current));
    if (result?.__typename === 'UpdateReaderGroupPayload') onReread();
  };
  const result = sent?.result;
  return (
    <>
      <ReaderGroupForm
        // A group that was read again with other values gets a new form.
        key={JSON.stringify(group)}
        group={group}
        versions={versions}
        issues={result?.__typename === 'ValidationError' ? result.issues : []}
        isSaved={result?.__typename === 'UpdateReaderGroupPayload'}
        onEdit={() => setSent(null)}
        onPreview={(input, joining) => send({ input, joining, preview: true })}
      />
      <div className="answer">
        <QueryState fetching={fetching} error={error} kind={sent?.preview === false ? 'write' : 'read'} />
        {result && (
          <Outcome
            result={result}
            joining={sent.joining}
            onSave={() => send({ ...sent, preview: false })}
            onRetry={() => send(sent)}
            onReload={() => {
              setSent(null);
              onReread();
            }}
          />
        )}
      </div>
    </>
  );
}

interface OutcomeProps {
  result: Result;
  joining: Joining;
  onSave: () => void;
  onRetry: () => void;
  onReload: () => void;
}

function Outcome({ result, joining, onSave, onRetry, onReload }: OutcomeProps) {
  switch (result.__typename) {
    case 'UpdateReaderGroupPreview':
      return <ReaderGroupPreview preview={result} joining={joining} onSave={onSave} />;
    case 'UpdateReaderGroupPayload':
      return (
        <div className="notice good">
          <FocusedHeading level={3}>Saved.</FocusedHeading>
          {result.warnings.map(({ description }) => (
            <p key={description}>{description}</p>
          ))}
        </div>
      );
    default:
      return <ErrorNotice error={result} onRetry={onRetry} onReload={onReload} />;
  }
}
