import { DatabaseSync } from 'node:sqlite';
import { startBystander } from './bystander.ts';
import { type Target, TOKEN } from './target.ts';

export interface LockReport {
  /** The number of writes by the type that they ended in. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** When the last write had ended, in milliseconds from the start. */
  readonly ms: number;
  /** The longest that a read of another client, and a readiness check, took meanwhile. */
  readonly worstOtherMs: number;
  readonly worstReadinessMs: number;
  /** The groups that have the new title afterwards. */
  readonly written: number;
}

const WRITES = 50;
const CHECK_MS = 100;

const UPDATE = 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }';

/** Lets clients write while another program holds SQLite's lock for `holdMs`. */
export async function writeWhileLocked(target: Target, holdMs: number): Promise<LockReport> {
  const bystander = await startBystander(target.url);
  const other = new DatabaseSync(target.databasePath);
  other.exec('begin immediate');
  setTimeout(() => other.close(), holdMs);
  const begun = performance.now();
  const title = `Held for ${holdMs} ms`;
  const outcomes = new Map<string, number>();
  const update = async (_: unknown, index: number): Promise<void> => {
    const input = { groupId: `group-${index}`, title, accessScope: { level: 'PROJECT' } };
    const { updateReaderGroup } = await send(target, UPDATE, { input });
    outcomes.set(updateReaderGroup.__typename, (outcomes.get(updateReaderGroup.__typename) ?? 0) + 1);
  };
  const writes = Promise.all(Array.from({ length: WRITES }, update)).then(() => true);
  let worstReadinessMs = 0;
  do {
    const checkedAt = performance.now();
    await fetch(new URL('/health/ready', target.url));
    worstReadinessMs = Math.max(worstReadinessMs, performance.now() - checkedAt);
  } while (!(await Promise.race([writes, new Promise((done) => setTimeout(done, CHECK_MS, false))])));
  const ms = Math.round(performance.now() - begun);
  const worstOtherMs = await bystander.worstMs();
  await bystander.stop();
  const { readerGroups } = await send(target, '{ readerGroups(first: 100) { nodes { title } } }');
  const written = readerGroups.nodes.filter((group) => group.title === title).length;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, holdMs - ms)));
  return { outcomes, ms, worstOtherMs, worstReadinessMs: Math.round(worstReadinessMs), written };
}

interface Data {
  readonly updateReaderGroup: { readonly __typename: string };
  readonly readerGroups: { readonly nodes: readonly { readonly title: string }[] };
}

async function send(target: Target, query: string, variables: object = {}): Promise<Data> {
  const headers = { 'content-type': 'application/json', api_token: TOKEN };
  const response = await fetch(target.url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data }: { data: Data } = JSON.parse(await response.text());
  return data;
}
