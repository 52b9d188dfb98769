import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openLocalBackend } from '../../src/backend/local/local-backend.ts';
import { silentLog } from '../../src/base/log.ts';
import { smallKnowledgeBase } from '../backend/local/small-knowledge-base.ts';
import { temporaryFolder } from '../backend/local/store.ts';
import { startGateway } from '../support/gateway.ts';
import { portOf } from '../support/ports.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { list } from '../support/repeat.ts';

/* Two gateways with their state in PostgreSQL, of which the one that is at a step is killed there, at each step in turn. */

const TOKEN = 'token-of-the-service';
const ITEMS = 160;
const BULK_SIZE = 4;
const EDITED = 'By an editor';

/** The transactions of a job, as the triggers below tell them apart, each held while it commits, and the calls of the service. */
const COMMITS = ['insert', 'copy', 'claim', 'begin', 'end', 'read back', 'complete'] as const;
const CALLS = ['list', 'text', 'put'] as const;

type Step =
  /** `lost`: the transaction is rolled back. `kept`: it is committed, and nobody hears of it. */
  | { readonly at: (typeof COMMITS)[number]; readonly fate: 'lost' | 'kept' }
  /** `lost`: the call has no effect. `kept`: nobody hears its answer. */
  | { readonly at: (typeof CALLS)[number]; readonly fate: 'lost' | 'kept' };

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

const knowledgeBase = {
  ...smallKnowledgeBase,
  reader_groups: [],
  articles: list(ITEMS, (n) => ({
    ...{ id: `n${n}`, project_version_id: 'pv1', category_id: 'basics', slug: `n${n}`, order: n + 1, hidden: false },
    content_type: 'markdown' as const,
    versions: [
      {
        ...{ lang_code: 'en', version_number: 1, title: `Title ${n}`, content: `Text ${n}` },
        translation_option: '0' as const,
      },
    ],
  })),
};

function callOf({ method, url = '' }: IncomingMessage): Step['at'] | null {
  if (method === 'PUT') return 'put';
  if (url.includes('/categories')) return 'list';
  return url.includes('/Articles/') ? 'text' : null;
}

/** The service, behind a server that can hold its calls. */
async function openService() {
  const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
  await backend.importKnowledgeBase(knowledgeBase, () => {});
  const service = await startGateway({ backend, local: true, token: TOKEN });
  /** The IDs of the articles of each call that had an effect. */
  const written: string[] = [];
  let held: { readonly step: Step; readonly onHeld: () => void } | null = null;
  const forward = async ({ method = '', url = '' }: IncomingMessage, body: string) => {
    const headers = { api_token: TOKEN, 'content-type': 'application/json' };
    const answer = await fetch(service.url + url, { method, headers, ...(method === 'PUT' && { body }) });
    if (method === 'PUT') for (const { article_id } of JSON.parse(body)) written.push(article_id);
    return { status: answer.status, text: await answer.text() };
  };
  const front = createServer(async (request, response) => {
    const body = await text(request);
    const { step, onHeld } = held ?? {};
    const isHeld = step !== undefined && step.at === callOf(request);
    if (isHeld) held = null;
    const answer = isHeld && step.fate === 'lost' ? null : await forward(request, body);
    if (isHeld) onHeld?.();
    else response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' }).end(answer?.text);
  });
  await once(front.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    front.closeAllConnections();
    front.close();
    await service.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(front.address())}`,
    written,
    /** Ends when a call is held. */
    hold: (step: Step) => new Promise<void>((onHeld) => (held = { step, onHeld })),
    ask: async (query: string) => Object((await service.send(query)).body.data),
  };
}

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

  const service = await openService();
  const cwd = temporaryFolder();
  const start = async (name: string) => {
    const stateUrl = new URL(url);
    stateUrl.username = name;
    stateUrl.password = 'password';
    const settings = {
      ...{ UPSTREAM_URL: service.url, UPSTREAM_API_TOKEN: TOKEN, API_TOKEN: 'own', STATE_URL: stateUrl.href },
      ...{ UPSTREAM_BULK_SIZE: `${BULK_SIZE}`, UPSTREAM_TIMEOUT_MS: '2000' },
    };
    gateways.set(name, await startGatewayProcess({ cwd, settings }));
  };
  for (const name of names) await start(name);
  const ask = async (query: string, variables: object = {}) => {
    for (;;)
      for (const { url: gatewayUrl } of gateways.values()) {
        const headers = { 'content-type': 'application/json', api_token: 'own' };
        const body = JSON.stringify({ query, variables });
        const response = await fetch(gatewayUrl, { method: 'POST', headers, body }).catch(() => null);
        const answer = response === null ? null : Object(await response.json().catch(() => null));
        if (answer?.data != null && answer.data.result?.retryable !== true) return answer.data;
        await sleep(100);
      }
  };
  // The tables are there once a gateway has used them.
  await ask('{ articleUpdateJobs { nodes { id } } }');
  await expect.poll(() => rows('select 1 from job_owners'), { timeout: 20_000 }).not.toEqual([]);
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
  const isCommit = ({ at }: Step) => COMMITS.some((one) => one === at);
  /** Has the next gateway that is at the step wait there. */
  const arm = async (step: Step | undefined): Promise<Held> => {
    await rows('delete from held_steps');
    if (step === undefined || !isCommit(step)) {
      const held = step && service.hold(step);
      return async () => {
        await held;
        return someRows('select name from owner_names join article_update_jobs using (owner) where ended_at is null');
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
    const update = `{ articleId: "${item['id']}", title: "${EDITED}" }`;
    await service.ask(`mutation { bulkUpdateArticles(input: { articles: [${update}] }) { __typename } }`);
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
    for (;;) {
      const { job } = await ask(
        `query ($id: ID!) { job: articleUpdateJob(id: $id) {
          id done summary { total updated notAttempted unknown failed }
          results(first: 1000) { nodes { __typename articleId details ... on ArticleUpdateNotAttempted { reason } } }
        } }`,
        { id },
      );
      if (job.done) return job;
      await sleep(200);
    }
  };
  const readAll = async () => {
    const all = new Map<string, unknown>();
    for (const { id } of knowledgeBase.articles)
      all.set(id, (await service.ask(`{ article(articleId: "${id}") { title content hidden order } }`)).article);
    return all;
  };
  const sentTwice = () => {
    const seen = new Set<string>();
    return service.written.splice(0).filter((id) => seen.has(id) || !seen.add(id));
  };

  const before = await readAll();
  const articles = knowledgeBase.articles.map(({ id }, n) => ({
    ...{ articleId: id, title: `New ${n}`, hidden: true },
    ...(Math.floor(n / BULK_SIZE) % 2 === 1 && { content: 'New' }),
  }));
  const job = await killedAt(
    STEPS.job,
    `mutation ($articles: [ArticleUpdateInput!]!) {
      result: submitArticleUpdateJob(idempotencyKey: "job", input: { articles: $articles, keepBefore: ALWAYS }) {
        ... on SubmitArticleUpdateJobPayload { job { id } } ... on MutationError { message retryable }
      }
    }`,
    { articles },
  );
  expect(job.summary).toMatchObject({ total: ITEMS, failed: 0, notAttempted: 0 });
  expect(sentTwice()).toEqual([]);
  const left = await readAll();
  const undone = await killedAt(
    STEPS.revert,
    `mutation ($id: ID!) {
      result: revertArticleUpdateJob(idempotencyKey: "undo", id: $id) {
        ... on RevertArticleUpdateJobPayload { job { id } } ... on MutationError { message retryable }
      }
    }`,
    { id: job.id },
  );
  expect(undone.summary).toMatchObject({ total: ITEMS, failed: 0 });
  expect(sentTwice()).toEqual([]);
  expect(edited.size).toBeGreaterThan(10);
  const after = await readAll();
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
