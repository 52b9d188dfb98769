import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NO_ANSWER, readPages } from '../api.ts';
import { counted } from '../counted.ts';
import { ReaderGroupsDocument, type ReaderGroupsQuery } from '../generated/graphql.ts';
import { Problem, SearchField, useQuestion } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { scopeWords } from './access-scope.ts';
import { GroupEditor } from './group-editor.tsx';

/** Over the service, each 5 groups cost a call. */
const PAGE_SIZE = 25;

const MOST_PAGES = 40;

type Group = NonNullable<ReaderGroupsQuery['readerGroups']>['nodes'][number];

/** All groups; null until they are read. */
function useGroups() {
  const { api } = useShared();
  const [groups, setGroups] = useState<readonly Group[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(async () => {
    const pages = await readPages<Group>(MOST_PAGES, async (after) => {
      const { data, failure } = await api.send(ReaderGroupsDocument, { first: PAGE_SIZE, after });
      return data?.readerGroups ?? failure?.message ?? NO_ANSWER;
    });
    setProblem(pages.problem);
    if (pages.problem === null) setGroups(pages.nodes);
  }, [api]);
  useEffect(() => void read(), [read]);
  return { groups, problem, read };
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
  const list = useRef<HTMLUListElement>(null);
  const { dialog, ask } = useQuestion();
  const open = async (groupId: string | null) => {
    if (groupId === opened || (isEdited && !(await ask('Discard the changes of this group?', 'Discard')))) return;
    flushSync(() => setOpened(groupId));
    if (groupId === null) list.current?.focus();
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
              {shown ? counted(shown.length, 'group') : problem === null && 'Loading…'}
            </span>
          </div>
          <Problem text={problem} onAgain={read} />
          <ul aria-label="Groups" className="scroll choices" tabIndex={-1} ref={list}>
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
            {shown?.length === 0 && (
              <li className="hint">{text === '' ? 'There are no reader groups yet.' : 'No group matches.'}</li>
            )}
          </ul>
        </div>
        {opened === null ? (
          <p className="empty hint">Choose a group to see who is in it and what it may read.</p>
        ) : (
          <GroupEditor
            key={opened}
            groupId={opened}
            onEdited={onEdited}
            onSaved={() => void read()}
            onClose={() => open(null)}
          />
        )}
      </div>
    </section>
  );
}
