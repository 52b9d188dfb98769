import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

const CHANGE = `mutation ($input: ChangeReaderGroupMembersInput!) {
  changeReaderGroupMembers(input: $input) { ... on ValidationError { message } }
}`;

it('lets other requests run while it collects the issues of a large input', async () => {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  const ids = Array.from({ length: 50_000 }, () => '');
  const input = { groupId: 'g1', addReaderIds: ids, removeReaderIds: ids, addInvitedSsoUserIds: ids };
  let isDone = false;
  const sent = gateway.send(CHANGE, { input }).finally(() => (isDone = true));
  let ticks = 0;
  for (; !isDone; ticks += 1) await nextTick();
  const { body } = await sent;
  expect(body).toEqual({ data: { changeReaderGroupMembers: { message: 'The input has 200000 problems.' } } });
  expect(ticks).toBeGreaterThan(50);
  await gateway.close();
});
