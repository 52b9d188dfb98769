import { useState } from 'react';
import { useQuery } from 'urql';
import { LEVEL_NAMES } from './access-scope.ts';
import type { ProjectVersion } from './choices.ts';
import { ReaderGroupsDocument, type ReaderGroupsQuery } from './generated/graphql.ts';
import { Pager, usePages } from './pager.tsx';
import { QueryState } from './query-state.tsx';
import { ReaderGroupEditor } from './reader-group-editor.tsx';
import { useMayDiscard } from './unsaved-changes.tsx';

/** The number that the service returns in one call. */
const PAGE_SIZE = 5;

export function ReaderGroups({ versions }: { versions: readonly ProjectVersion[] }) {
  const pages = usePages();
  const [openId, setOpenId] = useState<string | null>(null);
  const variables = { first: PAGE_SIZE, after: pages.after };
  const [{ data, fetching, error }, reload] = useQuery({ query: ReaderGroupsDocument, variables });
  const groups = data?.readerGroups;
  const mayDiscard = useMayDiscard();
  const open = (groupId: string) => {
    if (groupId !== openId && mayDiscard()) setOpenId(groupId);
  };
  return (
    <div className="columns">
      <section aria-labelledby="groups">
        <h2 id="groups">Reader groups</h2>
        {groups && (
          <>
            <ul className="rows">
              {groups.nodes.map((group) => (
                <li key={group.groupId}>
                  <GroupButton group={group} isOpen={group.groupId === openId} onOpen={open} />
                </li>
              ))}
            </ul>
            <Pager pages={pages} pageInfo={groups.pageInfo} total={groups.totalCount} />
          </>
        )}
        <QueryState fetching={fetching} error={error} onRetry={reload} />
      </section>
      {openId === null ? (
        <p className="hint">Choose a group to change it.</p>
      ) : (
        <ReaderGroupEditor key={openId} groupId={openId} versions={versions} onSaved={reload} />
      )}
    </div>
  );
}

interface GroupButtonProps {
  group: NonNullable<ReaderGroupsQuery['readerGroups']>['nodes'][number];
  isOpen: boolean;
  onOpen: (groupId: string) => void;
}

function GroupButton({ group, isOpen, onOpen }: GroupButtonProps) {
  const members = group.readerIds.length + group.invitedSsoUserIds.length;
  return (
    <button type="button" aria-current={isOpen} onClick={() => onOpen(group.groupId)}>
      <strong>{group.title}</strong>
      <span className="hint">
        {LEVEL_NAMES[group.accessScope.level]} · {members} {members === 1 ? 'member' : 'members'}
      </span>
    </button>
  );
}
