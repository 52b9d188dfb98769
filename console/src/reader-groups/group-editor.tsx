import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Api } from '../api.ts';
import {
  PreviewUpdateReaderGroupDocument,
  type PreviewUpdateReaderGroupMutation,
  ReaderGroupDocument,
  type ReaderGroupFieldsFragment,
  UpdateReaderGroupDocument,
  type UpdateReaderGroupInput,
} from '../generated/graphql.ts';
import type { ProjectVersions } from '../session.ts';
import { isComplete, scopeInputOf, scopeText } from './access-scope.ts';
import { draftOf, type GroupDraft, inputOf } from './group-draft.ts';
import { type Member, type MemberKind, MemberSearch, memberOfInvited, memberOfReader } from './members.tsx';
import { ScopeField } from './scope-field.tsx';

interface GroupEditorProps {
  api: Api;
  groupId: string;
  versions: ProjectVersions;
  mayWrite: boolean;
  onEdited: (isEdited: boolean) => void;
  onSaved: () => void;
}

type PreviewResult = NonNullable<PreviewUpdateReaderGroupMutation['previewUpdateReaderGroup']>;
type Preview = Extract<PreviewResult, { __typename: 'UpdateReaderGroupPreview' }>;

/** One group. What is typed is saved only after its preview was shown, and an edit takes the preview away. */
export function GroupEditor({ api, groupId, versions, mayWrite, onEdited, onSaved }: GroupEditorProps) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [message, setMessage] = useState<Message | null>(null);
  const edits = useRef(0);
  const onChange = useCallback(
    (isEdited: boolean, problem: string | null) => {
      edits.current++;
      setChecked(null);
      if (isEdited || problem !== null) setMessage(problem === null ? null : { text: problem, isGood: false });
      onEdited(isEdited);
    },
    [onEdited],
  );
  const { group, draft, read, edit } = useGroup(api, groupId, onChange);
  const check = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!group || !draft) return;
    const input = inputOf(group, draft);
    const edit = edits.current;
    const { data, failure } = await api.send(PreviewUpdateReaderGroupDocument, { input });
    if (edit !== edits.current) return;
    const preview = data?.previewUpdateReaderGroup;
    if (preview?.__typename === 'UpdateReaderGroupPreview') setChecked({ input, preview });
    else setMessage({ text: failure?.message ?? messageOf(preview), isGood: false });
  };
  const save = async ({ input }: Checked) => {
    const written = await writeGroup(api, input);
    setMessage(written);
    if (!written.isGood) return;
    onSaved();
    await read();
  };
  return (
    <>
      {group && draft && <GroupForm {...{ api, group, draft, versions, mayWrite, edit }} onSubmit={check} />}
      {checked && draft && <GroupPreview preview={checked.preview} draft={draft} onSave={() => save(checked)} />}
      <p className={message?.isGood ? 'bar good' : 'bar bad'} role="status">
        {message?.text}
        {message?.isGood === false && (
          <button type="button" onClick={read}>
            Read the group again
          </button>
        )}
      </p>
    </>
  );
}

interface Checked {
  readonly input: UpdateReaderGroupInput;
  readonly preview: Preview;
}

interface Message {
  readonly text: string;
  readonly isGood: boolean;
}

/** The group as it was read, and what is typed. Tells when it is edited or read again. */
function useGroup(api: Api, groupId: string, onChange: (isEdited: boolean, problem: string | null) => void) {
  const [group, setGroup] = useState<ReaderGroupFieldsFragment | null>(null);
  const [draft, setDraft] = useState<GroupDraft | null>(null);
  const read = useCallback(async () => {
    const { data, failure } = await api.send(ReaderGroupDocument, { groupId });
    const found = data?.readerGroup ?? null;
    if (found) {
      setGroup(found);
      setDraft(draftOf(found));
    }
    onChange(false, failure?.message ?? (found ? null : 'This group does not exist any more.'));
  }, [api, groupId, onChange]);
  useEffect(() => {
    void read();
    return () => onChange(false, null);
  }, [read, onChange]);
  const edit = (change: Partial<GroupDraft>) => {
    setDraft((current) => current && { ...current, ...change });
    onChange(true, null);
  };
  return { group, draft, read, edit };
}

async function writeGroup(api: Api, input: UpdateReaderGroupInput): Promise<Message> {
  const { data, failure } = await api.send(UpdateReaderGroupDocument, { input });
  const result = data?.updateReaderGroup;
  if (result?.__typename === 'UpdateReaderGroupPayload')
    return { text: ['Saved.', ...result.warnings.map(({ description }) => description)].join(' '), isGood: true };
  return {
    text: `${failure?.message ?? messageOf(result)} Read the group again to see what it is now.`,
    isGood: false,
  };
}

function messageOf(
  error: { readonly message?: string; readonly issues?: readonly { readonly message: string }[] } | null | undefined,
): string {
  return [error?.message ?? 'There was no answer.', ...(error?.issues ?? []).map(({ message }) => message)].join(' ');
}

interface GroupFormProps extends Pick<GroupEditorProps, 'api' | 'versions' | 'mayWrite'> {
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  edit: (change: Partial<GroupDraft>) => void;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/** Without the scope to write nothing can be changed. */
function GroupForm({ api, group, draft, versions, mayWrite, edit, onSubmit }: GroupFormProps) {
  const scope = draft.scope ?? scopeInputOf(group.accessScope);
  return (
    <form className="group" onSubmit={onSubmit}>
      <fieldset disabled={!mayWrite}>
        <legend>{group.title}</legend>
        <label>
          Title <input value={draft.title} onChange={({ target }) => edit({ title: target.value })} />
        </label>
        <label>
          Description <input value={draft.description} onChange={({ target }) => edit({ description: target.value })} />
        </label>
        <ScopeField {...{ api, scope, versions }} read={group.accessScope} onChange={(next) => edit({ scope: next })} />
        <Members
          {...{ api, draft, edit }}
          kind="readers"
          legend="Readers"
          present={group.readerIds}
          named={(group.readers?.nodes ?? []).map(memberOfReader)}
        />
        <Members
          {...{ api, draft, edit }}
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

interface MembersProps extends Pick<GroupFormProps, 'api' | 'draft' | 'edit'> {
  kind: MemberKind;
  legend: string;
  present: readonly string[];
  /** Those whose names were read; a large group has more. */
  named: readonly Member[];
}

function Members({ api, draft, edit, kind, legend, present, named }: MembersProps) {
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
        <label key={id}>
          <input type="checkbox" checked={!leaving.includes(id)} onChange={() => toggle(id)} /> {name}
        </label>
      ))}
      {present.length > named.length && <p className="hint">{present.length - named.length} more stay as they are.</p>}
      {joining.map((member) => (
        <label key={member.id}>
          <input type="checkbox" checked onChange={() => join(joining.filter((other) => other !== member))} />{' '}
          {member.name}
        </label>
      ))}
      <MemberSearch
        {...{ api, kind }}
        present={[...present, ...joining.map(({ id }) => id)]}
        onAdd={(member) => join([...joining, member])}
      />
    </fieldset>
  );
}

function GroupPreview({ preview, draft, onSave }: { preview: Preview; draft: GroupDraft; onSave: () => void }) {
  const added = [
    ...draft.joining.readers.filter(({ id }) => preview.addedReaderIds.includes(id)),
    ...draft.joining.invited.filter(({ id }) => preview.addedInvitedSsoUserIds.includes(id)),
  ];
  const removed = [
    ...preview.removedReaderIds.map((id, index) => nameOf(preview.removedReaders?.[index], memberOfReader) ?? id),
    ...preview.removedInvitedSsoUserIds.map(
      (id, index) => nameOf(preview.removedInvitedSsoUsers?.[index], memberOfInvited) ?? id,
    ),
  ];
  const lines = [
    ...preview.changes.map(({ field, from, to }) => [
      field === 'TITLE' ? 'Title' : 'Description',
      String(from ?? 'none'),
      String(to ?? 'none'),
    ]),
    ...(preview.changesAccessScope
      ? [['Access', scopeText(preview.readerGroup.accessScope), scopeText(preview.accessScope)]]
      : []),
  ];
  const isSame = lines.length + added.length + removed.length === 0;
  return (
    <section className="bar" aria-label="Preview of the group">
      <h3>{isSame ? 'Nothing would change.' : 'This would change:'}</h3>
      <ul className="plain-list">
        {lines.map(([name, from, to]) => (
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
      <button type="button" className="primary" disabled={isSame || !preview.wouldSucceed} onClick={onSave}>
        Save
      </button>
    </section>
  );
}

const nameOf = <Read,>(read: Read | null | undefined, memberOf: (read: Read) => Member): string | undefined =>
  read ? memberOf(read).name : undefined;
