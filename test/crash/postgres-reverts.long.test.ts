import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../store/store.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import type { RunningGateway } from '../support/process.ts';
import {
  askAnyOf,
  CALLS,
  type Call,
  EDITED,
  ITEMS,
  openRevertedService,
  REVERT,
  SUBMIT,
  startOver,
  UPDATES,
  untilDone,
} from './revert-scene.ts';

/* Two gateways with their state in PostgreSQL, of which the one that is at a step is killed there, at each step in turn. */

/** The transactions of a job, as the triggers below tell them apart, each held while it commits. */
const COMMITS = ['insert', 'copy', 'claim', 'begin', 'end', 'read back', 'complete'] as const;

/**
 * `lost`: the transaction is rolled back, or the call has no effect. `kept`: it is committed, or has its effect, and nobody
 * hears of it.
 */
interface Step {
  readonly at: (typeof COMMITS)[number] | Call;
  readonly fate: 'lost' | 'kept';
}

const both = (...points: readonly Step['at'][]): readonly Step[] =>
  points.flatMap((at) => [
    { at, fate: 'lost' },
    { at, fate: 'kept' },
  ]);

const STEPS = {
  job: both('insert', 'list', 'text', 'begin', 'put', 'end', 'claim', 'read back', 'complete'),
  revert: both('insert', 'copy', 'list', 'text', 'begin', 'put', 'end', 'claim', 'read back', 'complete'),
};

const LONGEST_STEP_MS = 120_000;

/** The number of the lock that a transaction waits for where it is held. */
const LOCK = 37;

const TRIGGERS = `
  create table held_steps (at text);
  create table owner_names (owner text primary key, name text);
  create function hold(step text) returns void language plpgsql as $$ begin
    if exists (select from held_steps where at = step) then perform pg_advisory_xact_lock(${LOCK}); end if;
  end $$;
  create function hold_job() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then perform hold('insert');
    elsif old.ended_at is null and new.ended_at is not null then perform hold('complete');
    elsif new.run_number > old.run_number and new.owner is not null then perform hold('claim');
    end if;
    return null;
  end $$;
  create function hold_item() returns trigger language plpgsql as $$ begin
    if tg_op = 'INSERT' then
      if (select revert_of from article_update_jobs where job_id = new.job_id) is not null then perform hold('copy'); end if;
    elsif old.status = 'PENDING' and new.status = 'IN_FLIGHT' then perform hold('begin');
    elsif old.status = 'IN_FLIGHT' and new.status <> 'UNKNOWN' then perform hold('end');
    elsif old.status = 'UNKNOWN' then perform hold('read back');
    end if;
    return null;
  end $$;
  create function name_owner() returns trigger language plpgsql as $$ begin
    insert into owner_names values (new.owner, session_user) on conflict do nothing;
    return null;
  end $$;
  create constraint trigger hold_job after insert or update on article_update_jobs
    deferrable initially deferred for each row execute function hold_job();
  create constraint trigger hold_item after insert or update on article_update_job_items
    deferrable initially deferred for each row execute function hold_item();
  create trigger name_owner after insert or update on job_owners for each row execute function name_owner();
`;

it('a job and its revert go on after a kill at each of their steps, put nothing back twice, and leave what an editor wrote', async () => {
  const serverUrl = inject('postgresUrl') ?? '';
  const { url, drop } = await createPostgresDatabase(serverUrl);
  const administrator = new Client({ connectionString: url });
  await administrator.connect();
  const rows = async (sql: string, values: readonly unknown[] = []) =>
    (await administrator.query(sql, [...values])).rows;
  // Each gateway has a user of its own, by which its transactions are known.
  const names = ['one', 'two'].map((name) => `${name}_${randomUUID().replaceAll('-', '')}`);
  for (const name of names) await rows(`create role ${name} superuser login password 'password'`);
  const gateways = new Map<string, RunningGateway>();
  onTestFinished(async () => {
    for (const gateway of gateways.values()) await gateway.stop('SIGKILL');
    await administrator.end();
    await drop();
    const client = new Client({ connectionString: serverUrl });
    await client.connect();
    for (const name of names) await client.query(`drop role ${name}`);
    await client.end();
  });

  const service = await openRevertedService();
  const cwd = temporaryFolder();
  const start = async (name: string) => {
    const stateUrl = new URL(url);
    stateUrl.username = name;
    stateUrl.password = 'password';
    gateways.set(name, await startOver(service, { cwd, stateUrl: stateUrl.href }));
  };
  for (const name of names) await start(name);
  const ask = askAnyOf(gateways);
  // The tables are there once a gateway has used them.
  await ask('{ articleUpdateJobs { nodes { id } } }');
  await expect.poll(() => rows('select 1 from job_owners')).not.toEqual([]);
  await rows(TRIGGERS);

  await rows('select pg_advisory_lock($1)', [LOCK]);
  const waiting = `select a.pid, a.usename as name from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.objid = ${LOCK} and not l.granted`;
  const someRows = async (query: string) => {
    for (const until = performance.now() + LONGEST_STEP_MS; performance.now() < until; await sleep(20)) {
      const [row] = await rows(query);
      if (row !== undefined) return row;
    }
    throw new Error(`Nothing came of ${query}`);
  };
  /** Has the next gateway that is at the step wait there. */
  const arm = async (step: Step | undefined): Promise<Held> => {
    await rows('delete from held_steps');
    const call = CALLS.find((one) => one === step?.at);
    if (step === undefined || call !== undefined) {
      const held = step && call && service.hold(call, step.fate);
      return async () => {
        await held;
        return someRows(
          'select owner_names.name from owner_names join article_update_jobs using (owner) where ended_at is null',
        );
      };
    }
    await rows('insert into held_steps values ($1)', [step.at]);
    return () => someRows(waiting);
  };
  /** Ends what a gateway that was killed had begun. */
  const end = async ({ fate }: Step, { pid }: Awaited<ReturnType<Held>>) => {
    if (pid === undefined) return;
    if (fate === 'lost') await rows('select pg_terminate_backend($1, 5000)', [pid]);
    else await rows('select pg_advisory_unlock($1)', [LOCK]);
    while ((await rows(waiting)).some((row) => row['pid'] === pid)) await sleep(5);
    if (fate === 'kept') await rows('select pg_advisory_lock($1)', [LOCK]);
  };

  const edited = new Set<string>();
  /** An editor changes the first article that is still to be put back. */
  const edit = async () => {
    const [item] = await rows(
      `select article_key as id from article_update_job_items join article_update_jobs using (job_id)
       where revert_of is not null and status in ('PENDING', 'IN_FLIGHT') and not article_key = any($1)
       order by item_index limit 1`,
      [[...edited]],
    );
    if (item === undefined) return;
    edited.add(item['id']);
    await service.edit(item['id']);
  };

  /** Begins a job, and kills the gateway that is at each of these steps. Gives the job once it is done. */
  const killedAt = async (steps: readonly Step[], query: string, variables: object) => {
    let held = await arm(steps[0]);
    const begun = ask(query, variables);
    for (const [n, step] of steps.entries()) {
      const at = await held();
      held = await arm(steps[n + 1]);
      await edit();
      await gateways.get(at.name)?.stop('SIGKILL');
      await end(step, at);
      // The other one sees at once that it is dead.
      await rows(
        `update job_owners set alive_until = extract(epoch from now()) * 1000 - 1
         where owner in (select owner from owner_names where name = $1)`,
        [at.name],
      );
      await start(at.name);
    }
    const { id } = (await begun).result.job;
    return untilDone(ask, id);
  };
  const before = await service.readAll();
  const job = await killedAt(STEPS.job, SUBMIT, { articles: UPDATES, key: 'job' });
  expect(job.summary).toMatchObject({ total: ITEMS, failed: 0, notAttempted: 0 });
  expect(service.writtenTwice()).toEqual([]);
  const left = await service.readAll();
  const undone = await killedAt(STEPS.revert, REVERT, { id: job.id });
  expect(undone.summary).toMatchObject({ total: ITEMS, failed: 0 });
  expect(service.writtenTwice()).toEqual([]);
  expect(edited.size).toBeGreaterThan(10);
  const after = await service.readAll();
  const nodes: readonly Readonly<Record<string, string>>[] = undone.results.nodes;
  expect(new Set(nodes.map(({ articleId }) => articleId)).size).toBe(ITEMS);
  for (const { articleId = '', __typename, reason } of nodes) {
    const now = [articleId, __typename, reason, after.get(articleId)];
    if (edited.has(articleId)) expect(now).toMatchObject([articleId, __typename, reason, { title: EDITED }]);
    else if (__typename === 'ArticleUpdated') expect(now[3]).toEqual(before.get(articleId));
    else {
      // What a killed process had begun is never sent again.
      expect(now).toMatchObject([articleId, 'ArticleUpdateUnknown', undefined, {}]);
      expect([before.get(articleId), left.get(articleId)]).toContainEqual(now[3]);
    }
  }
  expect(undone.summary.updated).toBeGreaterThan(ITEMS / 2);
}, 900_000);

/** Waits for the gateway at the step, with its transaction where it is at one. */
type Held = () => Promise<{ readonly name: string; readonly pid?: number }>;
