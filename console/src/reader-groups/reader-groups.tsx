import { useState } from 'react';
import { NO_ANSWER, readPages } from '../api.ts';
import { counted } from '../counted.ts';
import { ReaderGroupsDocument, type ReaderGroupsQuery } from '../generated/graphql.ts';
import { Problem, SearchField, useQuestion } from '../parts.tsx';
import { useLast, useShared } from '../shared.ts';
import { scopeWords } from './access-scope.ts';
import { GroupEditor } from './group-editor.tsx';

/** Over the service, each 5 groups cost a call. */
const PAGE_SIZE = 25;

const MOST_PAGES = 40;

type Group = NonNullable<ReaderGroupsQuery['readerGroups']>['nodes'][number];

/** All groups, or those before a problem; undefined until they are read. */
function useGroups() {
  const { api } = useShared();
  const [readings, setReadings] = useState(0);
  const { value } = useLast(readings, () =>
    readPages<Group>(MOST_PAGES, async (after) => {
      const { data, failure } = await api.send(ReaderGroupsDocument, { first: PAGE_SIZE, after });
      return data?.readerGroups ?? failure?.message ?? NO_ANSWER;
    }),
  );
  return { groups: value?.nodes, problem: value?.problem ?? null, read: () => setReadings((count) => count + 1) };
}

const listOf = (scope: Group['accessScope']) =>
  ('categories' in scope && scope.categories) ||
  ('languages' in scope && scope.languages) ||
  ('projectVersionIds' in scope && scope.projectVersionIds) ||
  [];

interface ReaderGroupsProps {
  isEdited: boolean;
  onEdited: (isEdited: boolean) => void;
}

/** The reader groups as a list with a search, and the opened one beside it. */
export function ReaderGroups({ isEdited, onEdited }: ReaderGroupsProps) {
  const { groups, problem, read } = useGroups();
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<string | null>(null);
  const { dialog, ask } = useQuestion();
  const open = async (groupId: string | null) => {
    if (groupId === opened || (isEdited && !(await ask('Discard the changes of this group?', 'Discard')))) return;
    setOpened(groupId);
  };
  const shown = groups?.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <section className="column" aria-label="Reader groups">
      {dialog}
      <div className="beside groups">
        <div className="column list">
          <div className="tools">
            <SearchField label="Search groups" value={text} onChange={setText} />
            <span role="status" className="hint">
              {problem === null && (shown ? counted(shown.length, 'group') : 'Loading…')}
            </span>
          </div>
          <Problem text={problem} onAgain={read} />
          <ul aria-label="Groups" className="scroll choices">
            {shown?.map(({ groupId, title, accessScope, readerIds, invitedSsoUserIds }) => (
              <li key={groupId}>
                <button type="button" aria-current={groupId === opened} onClick={() => open(groupId)}>
                  <strong>{title}</strong>
                  <span className="hint">
                    {scopeWords(accessScope.level, listOf(accessScope))},{' '}
                    {counted(readerIds.length + invitedSsoUserIds.length, 'member')}
                  </span>
                </button>
              </li>
            ))}
            {shown?.length === 0 && problem === null && (
              <li className="hint">{text === '' ? 'There are no reader groups yet.' : 'No group matches.'}</li>
            )}
          </ul>
        </div>
        {opened === null ? (
          <p className="empty hint">Choose a group to see who is in it and what it may read.</p>
        ) : (
          <GroupEditor key={opened} groupId={opened} onEdited={onEdited} onSaved={read} onClose={() => open(null)} />
        )}
      </div>
    </section>
  );
}
