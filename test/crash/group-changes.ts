import { setTimeout as sleep } from 'node:timers/promises';

/** A change of the members of the group: one reader joins or leaves. */
export interface GroupChange {
  readonly name: string;
  readonly adds: boolean;
  readonly readerId: string;
}

/** The outcome of a change for its caller. `unknown`: the gateway ended before it answered, or said so. */
export type ChangeOutcome = 'acknowledged' | 'unsent' | 'unknown';

interface ChangeOptions {
  readonly token: string;
  /** `performance.now()` after which the change is not sent again. */
  readonly until: number;
  /** The gateway of the next attempt. */
  pick(): { readonly index: number; readonly url: string };
}

const MUTATION = `mutation ($input: ChangeReaderGroupMembersInput!) {
  changeReaderGroupMembers(input: $input) { __typename ... on MutationError { message mayHaveApplied } }
}`;

/** Milliseconds before a change that was not sent is sent again. */
const PAUSE_MS = 50;

/** Sends the change, and sends it again as long as nothing of it was sent to the service. */
export async function sendChange(change: GroupChange, options: ChangeOptions): Promise<ChangeOutcome> {
  for (let attempt = 1; performance.now() < options.until; attempt += 1) {
    const { index, url } = options.pick();
    const requestId = `${change.name}.${attempt}.${index}`;
    const outcome = await sendOnce(change, { url, requestId, token: options.token });
    if (outcome !== 'unsent') return outcome;
    await sleep(PAUSE_MS);
  }
  return 'unsent';
}

interface Target {
  readonly url: string;
  readonly token: string;
  /** The ID that the PUT of this change has at the service. */
  readonly requestId: string;
}

async function sendOnce({ adds, readerId }: GroupChange, { url, token, requestId }: Target): Promise<ChangeOutcome> {
  const input = { groupId: 'g1', [adds ? 'addReaderIds' : 'removeReaderIds']: [readerId] };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: token, 'x-request-id': requestId },
    body: JSON.stringify({ query: MUTATION, variables: { input } }),
  })
    .then((response) => response.text())
    // The gateway was killed, before the request or after it.
    .catch(() => null);
  if (answer === null) return 'unknown';
  const result = JSON.parse(answer).data?.changeReaderGroupMembers;
  if (result == null) throw new Error(answer);
  if (result.__typename === 'ChangeReaderGroupMembersPayload') return 'acknowledged';
  return result.mayHaveApplied ? 'unknown' : 'unsent';
}
