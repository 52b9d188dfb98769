import { Form } from '@base-ui/react/form';
import { useCallback, useEffect, useState } from 'react';
import { type Api, type Failure, NO_ANSWER, readPages } from '../api.ts';
import {
  PreviewUpdateReaderGroupDocument,
  ReaderGroupDocument,
  type ReaderGroupFieldsFragment,
  UpdateReaderGroupDocument,
} from '../generated/graphql.ts';
import { Button, focus, Problem, TextField } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { isComplete, scopeOf, scopeWords } from './access-scope.ts';
import { type GroupDraft, inputOf, NO_DRAFT } from './group-draft.ts';
import { GroupPreview, type Preview, Theirs } from './group-preview.tsx';
import { Members } from './members.tsx';
import { type Member, memberOfInvited, memberOfReader } from './people.ts';
import { ScopeField } from './scope-field.tsx';

interface GroupEditorProps {
  groupId: string;
  onEdited: (isEdited: boolean) => void;
  onSaved: () => void;
  onClose: () => void;
}

interface NamedGroup {
  readonly group: ReaderGroupFieldsFragment;
  /** The members whose names were read. */
  readonly named: readonly Member[];
}

/** The most pages of a hundred members whose names are read. */
const MOST_PAGES = 10;

async function readGroup(api: Api, groupId: string): Promise<NamedGroup | string> {
  let group: ReaderGroupFieldsFragment | null = null;
  const readers = await readPages(MOST_PAGES, async (after) => {
    const { data, failure } = await api.send(ReaderGroupDocument, { groupId, after });
    if (failure) return failure.message;
    group = data.readerGroup;
    return data.readerGroup?.readers ?? 'This group does not exist any more.';
  });
  if (readers.problem !== null || group === null) return readers.problem ?? NO_ANSWER;
  const { invitedSsoUsers }: ReaderGroupFieldsFragment = group;
  return { group, named: [...readers.nodes.map(memberOfReader), ...(invitedSsoUsers ?? []).map(memberOfInvited)] };
}

/** The group as it was read last; null until then. What is in the form stays when it is read again. */
function useGroup(groupId: string) {
  const { api } = useShared();
  const [read, setRead] = useState<NamedGroup | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const readAgain = useCallback(async () => {
    const answer = await readGroup(api, groupId);
    setProblem(typeof answer === 'string' ? answer : null);
    if (typeof answer !== 'string') setRead(answer);
  }, [api, groupId]);
  useEffect(() => void readAgain(), [readAgain]);
  return { read, problem, readAgain };
}

/** What is edited of a group, and how it is checked and saved: only while nobody else has changed the group. */
function useDraft({ groupId, onSaved }: Pick<GroupEditorProps, 'groupId' | 'onSaved'>) {
  const { api } = useShared();
  const { read, problem, readAgain } = useGroup(groupId);
  const [draft, setDraft] = useState(NO_DRAFT);
  const [base, setBase] = useState<ReaderGroupFieldsFragment | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saved, setSaved] = useState('');
  const put = (next: GroupDraft) => {
    setRefusal(null);
    setSaved('');
    setDraft(next);
    if (next === NO_DRAFT) setBase(null);
  };
  const refuse = (failure: Failure | undefined, hint = '') => {
    if (failure?.code !== 'CHANGED_SINCE') return setRefusal(`${failure?.message ?? NO_ANSWER}${hint}`);
    setBase(base ?? read?.group ?? null);
    void readAgain();
  };
  const check = async (group: ReaderGroupFieldsFragment) => {
    setRefusal(null);
    const { data, failure } = await api.send(PreviewUpdateReaderGroupDocument, { input: inputOf(group, draft) });
    if (data?.previewUpdateReaderGroup) setPreview(data.previewUpdateReaderGroup);
    else refuse(failure);
  };
  const save = async (group: ReaderGroupFieldsFragment) => {
    const { data, failure } = await api.send(UpdateReaderGroupDocument, { input: inputOf(group, draft) });
    setPreview(null);
    if (!data?.updateReaderGroup)
      return refuse(failure, ' Read the group again: a new preview shows then what is left to do.');
    put(NO_DRAFT);
    setSaved(['Saved.', ...data.updateReaderGroup.warnings.map(({ description }) => description)].join(' '));
    onSaved();
    void readAgain();
  };
  const again = async () => {
    await readAgain();
    setRefusal(null);
  };
  const closePreview = () => setPreview(null);
  return { read, problem: problem ?? refusal, draft, base, preview, saved, put, check, save, again, closePreview };
}

/** Edits one group. The draft can be saved only from its preview. */
export function GroupEditor({ onEdited, onClose, ...props }: GroupEditorProps) {
  const { read, problem, draft, base, preview, saved, put, check, save, again, closePreview } = useDraft(props);
  const isEdited = draft !== NO_DRAFT;
  useEffect(() => {
    onEdited(isEdited);
    return () => onEdited(false);
  }, [isEdited, onEdited]);
  if (!read) return problem === null ? <p className="bar">Loading…</p> : <Problem text={problem} onAgain={again} />;
  const { group } = read;
  const form = { ...read, draft, edit: (change: Partial<GroupDraft>) => put({ ...draft, ...change }) };
  return (
    <section className="side group-form" aria-label={group.title} tabIndex={-1} ref={focus}>
      <header className="inline apart">
        <h2>{group.title}</h2>
        <span className="hint">{scopeWords(group.accessScope.level, scopeOf(group.accessScope).items)}</span>
        <Button onClick={onClose}>Close</Button>
      </header>
      {base && <Theirs base={base} {...form} />}
      <GroupForm {...form} onPreview={() => check(group)} onDiscard={isEdited ? () => put(NO_DRAFT) : null} />
      <p className="good" role="status">
        {saved}
      </p>
      <Problem text={problem} again="Read the group again" onAgain={again} />
      {preview && <GroupPreview {...form} preview={preview} onSave={() => save(group)} onClose={closePreview} />}
    </section>
  );
}

interface GroupFormProps extends NamedGroup {
  draft: GroupDraft;
  edit: (change: Partial<GroupDraft>) => void;
  onPreview: () => void;
  onDiscard: (() => void) | null;
}

/** The form of a group, in one column. Nothing can be changed without the scope for writing. */
function GroupForm({ group, named, draft, edit, onPreview, onDiscard }: GroupFormProps) {
  const { mayWriteGroups } = useShared();
  const read = scopeOf(group.accessScope);
  const scope = draft.scope ?? read;
  return (
    <Form onFormSubmit={onPreview}>
      <fieldset className="stack" disabled={!mayWriteGroups} aria-label="Group">
        <TextField
          label="Title"
          value={draft.title ?? group.title}
          onChange={(title) => edit({ title: title === group.title ? null : title })}
        />
        <TextField
          label="Description"
          value={draft.description ?? group.description ?? ''}
          onChange={(text) => edit({ description: text === (group.description ?? '') ? null : text })}
        />
        <ScopeField scope={scope} read={read} onChange={(next) => edit({ scope: next })} />
        <Members draft={draft} edit={edit} named={named} group={group} />
        {mayWriteGroups ? (
          <p className="inline foot">
            <button type="submit" className="primary" disabled={!isComplete(scope)}>
              Preview
            </button>
            {onDiscard && <Button onClick={onDiscard}>Discard the changes</Button>}
            <span className="hint">Nothing is sent before you have seen what it does.</span>
          </p>
        ) : (
          <p className="hint">You can look at groups, and may not change them.</p>
        )}
      </fieldset>
    </Form>
  );
}
