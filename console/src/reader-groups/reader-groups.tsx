import { useCallback, useEffect, useState } from 'react';
import { counted } from '../counted.ts';
import { ReaderGroupsDocument, type ReaderGroupsQuery } from '../generated/graphql.ts';
import { Button, Pane, Problem } from '../parts.tsx';
import { useShared } from '../shared.ts';
import { LEVEL_NAMES } from './access-scope.ts';
import { GroupEditor } from './group-editor.tsx';

const PAGE_SIZE = 25;

type Group = NonNullable<ReaderGroupsQuery['readerGroups']>['nodes'][number];

interface Groups {
  readonly nodes: readonly Group[];
  readonly after: string | null;
}

interface ReaderGroupsProps {
  isEdited: boolean;
  onEdited: (isEdited: boolean) => void;
}

/** The reader groups, and the opened one. */
export function ReaderGroups({ isEdited, onEdited }: ReaderGroupsProps) {
  const { api } = useShared();
  const [groups, setGroups] = useState<Groups | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const read = useCallback(
    async (known: Groups | null) => {
      const { data, failure } = await api.send(ReaderGroupsDocument, { first: PAGE_SIZE, after: known?.after ?? null });
      setProblem(failure?.message ?? null);
      const page = data?.readerGroups;
      if (page)
        setGroups({
          nodes: [...(known?.nodes ?? []), ...page.nodes],
          after: page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
        });
    },
    [api],
  );
  useEffect(() => void read(null), [read]);
  const open = (groupId: string) => {
    if (groupId !== opened && (!isEdited || confirm('Discard the changes of this group?'))) setOpened(groupId);
  };
  return (
    <Pane title="Reader groups">
      <div className="bar">
        {groups?.nodes.map(({ groupId, title, accessScope, readerIds, invitedSsoUserIds }) => (
          <button key={groupId} type="button" aria-pressed={groupId === opened} onClick={() => open(groupId)}>
            <strong>{title}</strong> {LEVEL_NAMES[accessScope.level]},{' '}
            {counted(readerIds.length + invitedSsoUserIds.length, 'member')}
          </button>
        ))}
        {groups?.after && <Button onClick={() => read(groups)}>More groups</Button>}
        <span role="status">{groups === null && problem === null && 'Loading…'}</span>
      </div>
      <Problem text={problem} onAgain={() => read(groups)} />
      {opened !== null && (
        <GroupEditor key={opened} groupId={opened} onEdited={onEdited} onSaved={() => void read(null)} />
      )}
    </Pane>
  );
}
