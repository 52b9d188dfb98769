import type { Payloads } from '../api.ts';
import { counted } from '../counted.ts';
import type { PreviewUpdateReaderGroupMutation, ReaderGroupFieldsFragment } from '../generated/graphql.ts';
import { Button, Dialog, focus } from '../parts.tsx';
import { scopeChange, scopeOf, scopeText } from './access-scope.ts';
import type { GroupDraft } from './group-draft.ts';
import type { Member } from './people.ts';

export type Preview = NonNullable<Payloads<PreviewUpdateReaderGroupMutation>['previewUpdateReaderGroup']>;

interface GroupPreviewProps {
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  preview: Preview;
  onSave: () => Promise<void>;
  onClose: () => void;
}

const people = (count: number, one: string, several: string): string =>
  count === 1 ? `1 person ${one}` : `${count} people ${several}`;

/** What an update would do, in words, before it is sent. The dialog keeps the focus. */
export function GroupPreview({ group, draft, preview, onSave, onClose }: GroupPreviewProps) {
  const isIn = ({ kind, id }: Member) => (kind === 'readers' ? group.readerIds : group.invitedSsoUserIds).includes(id);
  const leaving = draft.leaving.filter(isIn).map(({ name }) => name);
  const joining = draft.joining.filter((member) => !isIn(member)).map(({ name }) => name);
  const texts = preview.changes.map(({ field, from, to }) => ({
    name: field === 'TITLE' ? 'Title' : 'Description',
    from: String(from ?? 'none'),
    to: String(to ?? 'none'),
  }));
  const scopes = preview.changesAccessScope
    ? scopeChange(scopeOf(group.accessScope), scopeOf(preview.accessScope))
    : [];
  const isSame = texts.length + scopes.length + joining.length + leaving.length === 0;
  return (
    <Dialog
      title={isSame ? 'Nothing would change.' : `This would change ${group.title}:`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>Back to the form</Button>
          <Button className="primary" disabled={isSame || !preview.wouldSucceed} onClick={onSave}>
            Save
          </Button>
        </>
      }
    >
      <ul className="stack">
        {leaving.length > 0 && (
          <li>
            <strong className="bad">{people(leaving.length, 'loses access', 'lose access')}</strong>, unless another
            group gives it: {leaving.join(', ')}.
          </li>
        )}
        {joining.length > 0 && (
          <li>
            <strong className="good">{people(joining.length, 'gets access', 'get access')}</strong>:{' '}
            {joining.join(', ')}.
          </li>
        )}
        {scopes.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {texts.map(({ name, from, to }) => (
          <li key={name}>
            {name}: <del>{from}</del> <span aria-hidden="true">→</span> <ins>{to}</ins>
          </li>
        ))}
        {preview.issues.map(({ message }) => (
          <li key={message} className="bad">
            {message}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface TheirsProps {
  /** The group as it was when the form was filled in, and as somebody else has left it. */
  base: ReaderGroupFieldsFragment;
  group: ReaderGroupFieldsFragment;
  draft: GroupDraft;
  edit: (change: Partial<GroupDraft>) => void;
}

/** What somebody else has changed meanwhile. Where the form has another value for the same, theirs can be taken. */
export function Theirs({ base, group, draft, edit }: TheirsProps) {
  const textsOf = ({ title, description, accessScope, readerIds, invitedSsoUserIds }: typeof group) => ({
    title,
    description: description ?? 'none',
    scope: scopeText(scopeOf(accessScope)),
    members: counted(readerIds.length + invitedSsoUserIds.length, 'member'),
  });
  const before: Readonly<Record<string, string>> = textsOf(base);
  const changed = Object.entries(textsOf(group)).filter(([name, text]) => text !== before[name]);
  const names: Readonly<Record<string, string>> = { title: 'Title', description: 'Description', scope: 'Access' };
  const both = changed.filter(([name]) => name in names && draft[name as keyof GroupDraft] !== null);
  return (
    <section className="notice stack" aria-label="Changed meanwhile" tabIndex={-1} ref={focus}>
      <h3>Somebody else changed this group meanwhile.</h3>
      <p>Nothing of yours is saved. What you edited is still in the form, and all else is as they left it.</p>
      <ul>
        {changed.map(([name, text]) => (
          <li key={name}>
            {names[name] ?? 'Members'}: <del>{before[name]}</del> <span aria-hidden="true">→</span> <ins>{text}</ins>
          </li>
        ))}
      </ul>
      {both.map(([name]) => (
        <Button key={name} onClick={() => edit({ [name]: null })}>
          Take theirs: {names[name]}
        </Button>
      ))}
    </section>
  );
}
