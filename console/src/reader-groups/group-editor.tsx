import { type SubmitEvent, useEffect, useState } from 'react';
import { NO_ANSWER, type Payloads } from '../api.ts';
import {
  PreviewUpdateReaderGroupDocument,
  type PreviewUpdateReaderGroupMutation,
  ReaderGroupDocument,
  type ReaderGroupFieldsFragment,
  UpdateReaderGroupDocument,
  type UpdateReaderGroupInput,
} from '../generated/graphql.ts';
import { Button, Check, focus, Problem } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { useAnswer } from '../use-answer.ts';
import { isComplete, scopeInputOf, scopeText } from './access-scope.ts';
import { draftOf, type GroupDraft, inputOf } from './group-draft.ts';
import { type Member, type MemberKind, MemberSearch, memberOfInvited, memberOfReader } from './members.tsx';
import { ScopeField } from './scope-field.tsx';

interface GroupEditorProps {
  groupId: string;
  onEdited: (isEdited: boolean) => void;
  onSaved: () => void;
}

type Preview = NonNullable<Payloads<PreviewUpdateReaderGroupMutation>['previewUpdateReaderGroup']>;

interface Checked {
  /** The edited draft. Another one needs another preview. */
  readonly edited: GroupDraft | null;
  readonly input: UpdateReaderGroupInput;
  readonly preview: Preview;
}

/** Edits one group. The draft can be saved only after its preview was shown. */
export function GroupEditor({ groupId, onEdited, onSaved }: GroupEditorProps) {
  const { api } = useShared();
  const { group, problem, edited, setEdited, readAgain } = useGroup(groupId, onEdited);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saved, setSaved] = useState('');
  const read = () => {
    setRefusal(null);
    readAgain();
  };
  if (!group) return <Problem text={problem} onAgain={read} />;
  const draft = edited ?? draftOf(group);
  const edit = (change: Partial<GroupDraft>) => {
    setSaved('');
    setRefusal(null);
    setEdited({ ...draft, ...change });
  };
  const check = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = inputOf(group, draft);
    const answer = await api.send(PreviewUpdateReaderGroupDocument, { input });
    const preview = answer.data?.previewUpdateReaderGroup;
    if (preview) setChecked({ edited, input, preview });
    else setRefusal(answer.failure?.message ?? NO_ANSWER);
  };
  const save = async (input: UpdateReaderGroupInput) => {
    const answer = await api.send(UpdateReaderGroupDocument, { input });
    const written = answer.data?.updateReaderGroup;
    setChecked(null);
    if (!written)
      return setRefusal(
        `${answer.failure?.message ?? NO_ANSWER} Read the group again: a new preview shows then what is left to do.`,
      );
    setSaved(['Saved.', ...written.warnings.map(({ description }) => description)].join(' '));
    onSaved();
    setEdited(null);
    read();
  };
  return (
    <>
      <GroupForm group={group} draft={draft} edit={edit} onSubmit={check} />
      {checked?.edited === edited && checked && (
        <GroupPreview preview={checked.preview} draft={draft} onSave={() => save(checked.input)} />
      )}
      <p className="bar good" role="status">
        {saved}
      </p>
      <Problem text={problem ?? refusal} again="Read the group again" onAgain={read} />
    </>
  );
}

/** The group and the draft, which is kept when the group is read again. The preview shows what it still changes. */
function useGroup(groupId: string, onEdited: GroupEditorProps['onEdited']) {
  const [reads, setReads] = useState(0);
  const { data, problem } = useAnswer(ReaderGroupDocument, { variables: { groupId }, version: reads });
  const [edited, setEdited] = useState<GroupDraft | null>(null);
  const isEdited = edited !== null;
  useEffect(() => {
    onEdited(isEdited);
    return () => onEdited(false);
  }, [isEdited, onEdited]);
  return {
    group: data?.readerGroup,
    problem: data && !data.readerGroup ? 'This group does not exist any more.' : problem,
    edited,
    setEdited,
    readAgain: () => setReads(reads + 1),
  };
}

interface GroupFormProps {
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  edit: (change: Partial<GroupDraft>) => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/** The form of a group. Nothing can be changed without the scope for writing. */
function GroupForm({ group, draft, edit, onSubmit }: GroupFormProps) {
  const { mayWriteGroups: mayWrite } = useShared();
  const scope = draft.scope ?? scopeInputOf(group.accessScope);
  return (
    <form className="group" tabIndex={-1} ref={focus} onSubmit={onSubmit}>
      <fieldset disabled={!mayWrite}>
        <legend>{group.title}</legend>
        <label>
          Title <input value={draft.title} onChange={({ target }) => edit({ title: target.value })} />
        </label>
        <label>
          Description <input value={draft.description} onChange={({ target }) => edit({ description: target.value })} />
        </label>
        <ScopeField scope={scope} read={group.accessScope} onChange={(next) => edit({ scope: next })} />
        <Members
          draft={draft}
          edit={edit}
          kind="readers"
          legend="Readers"
          present={group.readerIds}
          named={(group.readers?.nodes ?? []).map(memberOfReader)}
        />
        <Members
          draft={draft}
          edit={edit}
          kind="invited"
          legend="Invited people"
          present={group.invitedSsoUserIds}
          named={(group.invitedSsoUsers ?? []).map(memberOfInvited)}
        />
        {mayWrite && (
          <button type="submit" className="primary" disabled={scope !== null && !isComplete(scope)}>
            Preview
          </button>
        )}
      </fieldset>
    </form>
  );
}

interface MembersProps extends Pick<GroupFormProps, 'draft' | 'edit'> {
  kind: MemberKind;
  legend: string;
  present: readonly string[];
  /** The members whose names were read; a large group has more. */
  named: readonly Member[];
}

function Members({ draft, edit, kind, legend, present, named }: MembersProps) {
  const leaving = draft.leaving[kind];
  const joining = draft.joining[kind];
  const toggle = (id: string) => {
    const next = leaving.includes(id) ? leaving.filter((other) => other !== id) : [...leaving, id];
    edit({ leaving: { ...draft.leaving, [kind]: next } });
  };
  const join = (members: readonly Member[]) => edit({ joining: { ...draft.joining, [kind]: members } });
  return (
    <fieldset>
      <legend>{legend}</legend>
      {named.map(({ id, name }) => (
        <Check key={id} label={name} checked={!leaving.includes(id)} onChange={() => toggle(id)} />
      ))}
      {present.length > named.length && <p className="hint">{present.length - named.length} more stay as they are.</p>}
      {joining.map(({ id, name }) => (
        <Check key={id} label={name} checked onChange={() => join(joining.filter((other) => other.id !== id))} />
      ))}
      <MemberSearch
        kind={kind}
        present={[...present, ...joining.map(({ id }) => id)]}
        onAdd={(member) => join([...joining, member])}
      />
    </fieldset>
  );
}

function GroupPreview({ preview, draft, onSave }: { preview: Preview; draft: GroupDraft; onSave: () => void }) {
  const addedIds = [...preview.addedReaderIds, ...preview.addedInvitedSsoUserIds];
  const added = Object.values(draft.joining)
    .flat()
    .filter(({ id }) => addedIds.includes(id));
  const named = [
    ...(preview.removedReaders ?? []).flatMap((reader) => (reader ? memberOfReader(reader) : [])),
    ...(preview.removedInvitedSsoUsers ?? []).flatMap((user) => (user ? memberOfInvited(user) : [])),
  ];
  // Members without a known name are shown by their IDs.
  const nameOf = (memberId: string) => named.find(({ id }) => id === memberId)?.name ?? memberId;
  const removed = [...preview.removedReaderIds, ...preview.removedInvitedSsoUserIds].map(nameOf);
  const lines = preview.changes.map(({ field, from, to }) => ({
    name: field === 'TITLE' ? 'Title' : 'Description',
    from: String(from ?? 'none'),
    to: String(to ?? 'none'),
  }));
  if (preview.changesAccessScope)
    lines.push({
      name: 'Access',
      from: scopeText(preview.readerGroup.accessScope),
      to: scopeText(preview.accessScope),
    });
  const isSame = lines.length + added.length + removed.length === 0;
  return (
    <section className="bar" aria-label="Preview of the group">
      <h3>{isSame ? 'Nothing would change.' : 'This would change:'}</h3>
      <ul>
        {lines.map(({ name, from, to }) => (
          <li key={name}>
            {name}: <del>{from}</del> <span aria-hidden="true">→</span> <ins>{to}</ins>
          </li>
        ))}
        {added.map(({ id, name }) => (
          <li key={id}>
            Added: <ins>{name}</ins>
          </li>
        ))}
        {removed.map((name) => (
          <li key={name}>
            Removed: <del>{name}</del>
          </li>
        ))}
        {preview.issues.map(({ message }) => (
          <li key={message} className="bad">
            {message}
          </li>
        ))}
      </ul>
      <Button className="primary" disabled={isSame || !preview.wouldSucceed} onClick={onSave}>
        Save
      </Button>
    </section>
  );
}
