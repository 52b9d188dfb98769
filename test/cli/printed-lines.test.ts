import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLogger, formatJsonLine, formatPrettyLine } from '../../src/core/base/logger.ts';
import { ok } from '../../src/core/base/result.ts';
import { Auditing } from '../../src/core/writes/audit.ts';
import { createRequestLog } from '../../src/server/http/request-end.ts';
import { callerOf, updated, updatesOf } from '../core/writes/harness.ts';
import { json } from '../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { startGateway } from '../support/gateway.ts';
import { runGateway, startGatewayProcess } from '../support/process.ts';
import { rawRequest, sendRaw } from '../support/raw-http.ts';
import { rawIn, UNPRINTABLES } from '../support/unprintables.ts';
import { openJobGateway } from './bulk-update/job-gateway.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-printed-'));
});
afterAll(() => rm(cwd, { recursive: true }));

const ALL = UNPRINTABLES.join('');
/** Neither a variable nor an argument of a process can have U+0000, nor a file name a slash. */
const OF_PROCESS = ALL.slice(1);
const FORMATS = { json: formatJsonLine, pretty: formatPrettyLine };

/** A log whose lines are kept. */
function keptLog(format: keyof typeof FORMATS) {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', formatLine: FORMATS[format], write: (line) => lines.push(line) });
  return { lines, log };
}

describe.each(['json', 'pretty'] as const)('the log as %s', (format) => {
  it('has no character raw that controls a terminal, in messages, names and values', () => {
    const { lines, log } = keptLog(format);
    for (const one of UNPRINTABLES) {
      log('info', `a${one}`, { [`b${one}`]: `c${one}`, list: [one], inner: { [one]: new Error(one) } });
    }
    expect(lines).toHaveLength(UNPRINTABLES.length);
    for (const line of lines) expect([line, rawIn(line), line.split('\n').length]).toEqual([line, [], 2]);
  });

  it('has no such character of a request', async () => {
    const { lines, log } = keptLog(format);
    const backend = await openFixtureStore();
    const onRequestEnd = [createRequestLog(log)];
    const gateway = await startGateway({ backend, local: true, token: TOKEN, log, onRequestEnd });
    onTestFinished(() => gateway.close());
    for (const one of UNPRINTABLES) {
      const bytes = Buffer.from(one).toString('latin1');
      const headers = [
        `x-request-id: a${bytes}`,
        `traceparent: ${bytes}`,
        `authorization: Bearer ${bytes}`,
        `api_token: ${TOKEN}`,
      ];
      for (const target of [
        `/v2/a${bytes}`,
        `/graphql?operationName=${encodeURIComponent(one)}`,
        `/a${one.charCodeAt(0) < 256 ? one : bytes}`,
      ]) {
        await sendRaw(gateway.url, rawRequest({ target, headers }));
      }
      const query = `query A${one} { __typename ${one} } query B { node(id: "${one}") { id } }`;
      const body = JSON.stringify({ query, operationName: `A${one}`, variables: { [one]: one } });
      await sendRaw(
        gateway.url,
        rawRequest({ method: 'POST', headers: ['content-type: application/json', `api_token: ${TOKEN}`], body }),
      );
    }
    expect(lines.length).toBeGreaterThan(UNPRINTABLES.length);
    expect(rawIn(lines.join(''))).toEqual([]);
  });
});

describe('the audit log', () => {
  it('has no such character raw, and no line that a text has broken', async () => {
    let written = '';
    const append = async (lines: string) => {
      written += lines;
      return ok(undefined);
    };
    const { step } = new Auditing({ append, log: () => {}, failureMode: 'closed' });
    for (const articleId of UNPRINTABLES) {
      const call = { write: 'bulkUpdateArticles' as const, caller: callerOf(articleId), input: updatesOf(articleId) };
      await step(call, async () => updated(articleId));
    }
    expect(rawIn(written)).toEqual([]);
    const ids = written
      .trimEnd()
      .split('\n')
      .flatMap((line) => JSON.parse(line).articleIds ?? []);
    expect(ids).toEqual(UNPRINTABLES);
  });
});

const run = (args: readonly string[], settings: Record<string, string> = {}) => runGateway(args, { cwd, settings });

describe('what a command prints', () => {
  it.each([
    ['an unknown command', [OF_PROCESS], {}],
    ['an unknown option', [`--${OF_PROCESS}`], {}],
    [
      'a wrong setting',
      ['serve'],
      { PORT: OF_PROCESS, UPSTREAM_URL: `http://${OF_PROCESS}`, API_TOKEN_FILE: `./${OF_PROCESS}` },
    ],
    ['a misspelt setting', ['serve', '--config-check'], { ['PORT\u202e']: '1', ['POR\u009bT']: '1', ['PO\nRT']: '1' }],
    ['a setting', ['serve', '--config-check'], { DATABASE_URL: `sqlite:${OF_PROCESS}` }],
    ['a file of trusted documents', ['serve'], { PERSISTED_DOCUMENTS: OF_PROCESS }],
    ['a file to import', ['import', OF_PROCESS], {}],
    ['a file to export', ['export', `${OF_PROCESS}.json`], { DATABASE_URL: `sqlite:${OF_PROCESS}` }],
    ['a backup', ['backup', OF_PROCESS], { DATABASE_URL: `sqlite:${OF_PROCESS}` }],
    ['a file of updates', ['bulk-update', `${OF_PROCESS}.csv`], { KB_API_TOKEN: 'a' }],
    ['a mapping of columns', ['bulk-update', 'a.csv', '--columns', OF_PROCESS], { KB_API_TOKEN: 'a' }],
    ['an audit log', ['serve'], { AUDIT_LOG: `none/${OF_PROCESS}`, PORT: '0' }],
  ] satisfies [string, string[], Record<string, string>][])(
    'about %s has no such character raw',
    { tags: 'long' },
    async (_, args, settings) => {
      const { stdout, stderr } = await run(args, settings);
      expect(stdout + stderr).toMatch(/\\u202e/u);
      expect([rawIn(stdout), rawIn(stderr)]).toEqual([[], []]);
      // No line begins in the middle of the text.
      expect(stdout + stderr).not.toMatch(/^\\u000b/mu);
    },
  );

  it('about the content of a file has no such character raw', { tags: 'long' }, async () => {
    const name = `a${OF_PROCESS}`;
    const members = Object.fromEntries(UNPRINTABLES.map((one) => [`b${one}`, one]));
    const readers = [{ reader_id: ALL, first_name: ALL, last_name: ALL, email: 'a@example.com' }];
    const groups = [
      {
        reader_group_id: ALL,
        title: 'a',
        description: null,
        associated_readers: [`none${ALL}`],
        associated_invited_sso_users: [],
        access_scope: { access_level: 0 },
      },
    ];
    await writeFile(join(cwd, `${name}.json`), JSON.stringify({ ...members, readers, reader_groups: groups }));
    await writeFile(
      join(cwd, `${name}.csv`),
      `articleId,${UNPRINTABLES.filter((one) => !/[\n\r]/u.test(one))
        .map((one) => `c${one}d`)
        .join(',')}\n`,
    );
    await writeFile(
      join(cwd, 'rows.ndjson'),
      UNPRINTABLES.map((one) => JSON.stringify({ articleId: 'a', [one]: one })).join('\n'),
    );
    await writeFile(join(cwd, 'documents.json'), JSON.stringify({ [ALL]: `query ${ALL} { a${ALL} }` }));
    const outputs = [
      await run(['import', `${name}.json`]),
      await run(['bulk-update', `${name}.csv`], { KB_API_TOKEN: 'a' }),
      await run(['bulk-update', 'rows.ndjson'], { KB_API_TOKEN: 'a' }),
      await run(['serve', '--config-check'], { PERSISTED_DOCUMENTS: 'documents.json' }),
    ];
    for (const { code, stdout, stderr } of outputs) {
      expect({ code, stdout, raw: rawIn(stderr) }).toEqual({ code: 1, stdout: '', raw: [] });
      expect(stderr).toContain('\\u');
    }
  });

  it('of the answers of a server has no such character raw, nor the token that was sent', {
    tags: 'long',
  }, async () => {
    const gateway = await openJobGateway();
    onTestFinished(() => gateway.close());
    const token = 'a-token-of-a-caller';
    const settings = { KB_API_TOKEN: token, KB_GATEWAY_URL: gateway.url };
    await writeFile(join(cwd, 'one.csv'), 'articleId\na\n');
    const text = `${ALL} Authorization: ${token}`;
    const failure = {
      __typename: 'ServiceRejectedError',
      code: text,
      message: text,
      retryable: false,
      issues: [{ path: [text], message: text }],
    };
    const answers = [
      json(200, { errors: [{ message: text, extensions: { code: text } }] }),
      json(200, { data: { result: failure } }),
      json(307, {}, { location: `http://other.example/${token}/${encodeURIComponent(ALL)}` }),
      json(200, { data: { result: { results: [{ articleId: text, issues: [{ message: text }], changes: [] }] } } }),
      json(200, {
        data: {
          result: { results: [{ articleId: text, issues: [], changes: [{ field: text, from: text, to: text }] }] },
        },
      }),
    ];
    for (const answer of answers) {
      gateway.service.on('POST /graphql', json(200, { data: { __typename: 'Query' } }), answer);
      const { stdout, stderr } = await run(['bulk-update', 'one.csv', '--preview'], settings);
      expect(stdout + stderr).not.toBe('');
      expect({ raw: rawIn(stdout + stderr), hasToken: (stdout + stderr).includes(token) }).toEqual({
        raw: [],
        hasToken: false,
      });
    }
  });

  it('to come back to a job has words of a shell for the name of the file', { tags: 'long' }, async () => {
    const gateway = await openJobGateway();
    onTestFinished(() => gateway.close());
    const settings = { KB_API_TOKEN: 'token-of-the-tests', KB_GATEWAY_URL: gateway.url };
    const name = `missing${OF_PROCESS}.csv`;
    await writeFile(join(cwd, name), 'articleId\nmissing-a\nmissing-\u202e\u009b\n');
    const { code, stdout, stderr } = await run(['bulk-update', name], settings);
    expect({ code, raw: [rawIn(stdout), rawIn(stderr)] }).toEqual({ code: 3, raw: [[], []] });
    expect(stdout).toContain('missing-\\u202e\\u009b');
    const failed = await readFile(join(cwd, name.replace('.csv', '.failed.csv')), 'utf8');
    expect(failed).toContain('missing-\u202e\u009b,');
  });
});

describe('the writer to the terminal', () => {
  it('lets no such character pass, whoever has forgotten to encode a text', () => {
    const script = `
      import { complain, createProgressBar, print, printError } from '${pathToFileURL('src/server/process/terminal.ts').href}';
      const text = JSON.parse(process.env.TEXT);
      print(text);
      printError(text);
      complain(text);
      Object.defineProperty(process.stderr, 'isTTY', { value: true });
      const bar = createProgressBar('{step} {value} of {total}');
      bar.show(1, 2, { step: 'begun ' + text });
      bar.show(2, 2, { step: 'ended ' + text });
      bar.stop();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { TEXT: JSON.stringify(ALL) },
    });
    expect(stdout).toContain('\\u202e');
    // Lines are printed, so that tabs and line feeds stay.
    expect(rawIn(stdout)).toEqual(['U+0009']);
    const end = stderr.indexOf('\u001b');
    expect(rawIn(stderr.slice(0, end))).toEqual(['U+0009']);
    // A bar moves the cursor by sequences of its own.
    const bar = stderr.slice(end);
    expect(rawIn(bar)).toEqual(['U+001B']);
    expect(bar).toMatch(/ended .*\\u202e.* 2 of 2/u);
  });
});

describe('what a command prints on a full disk', () => {
  it.skipIf(!existsSync('/dev/full'))('ends it as failed, with the reason', () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, ['src/main.ts', '--help'], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "kb-gateway: the output can't be written (ENOSPC).\n",
    });
  });
});

describe('what mcp prints on stderr', () => {
  it('has no such character raw', { tags: 'long' }, async () => {
    const { stderr } = await run(['mcp'], {
      UPSTREAM_URL: 'http://127.0.0.1:1',
      KB_API_TOKEN: 'a',
      ['PORT\u202e']: '1',
      ['PO\u009bRT']: '1',
    });
    expect(stderr).toMatch(/\\u202e/u);
    expect(rawIn(stderr)).toEqual([]);
  });
});

describe('what serve prints', () => {
  it('has no such character raw of a path, and a name that can be read', async () => {
    const name = `kb${OF_PROCESS}.db`;
    const gateway = await startGatewayProcess({ cwd, settings: { DATABASE_URL: `sqlite:${name}` } });
    await sendRaw(gateway.url, rawRequest({ target: '/a%C2%9B31m' }));
    const { stdout } = await gateway.stop();
    expect(rawIn(stdout)).toEqual([]);
    expect(stdout).toContain('\\u202e');
  });
});
