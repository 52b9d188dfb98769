import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../src/core/base/log.ts';
import { SETTING_GROUPS, SETTING_NAMES } from '../src/server/config/settings.ts';
import { demoKnowledgeBase } from '../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../src/store/local-backend.ts';
import { json, status } from './support/faulty-service.ts';
import { startGateway } from './support/gateway.ts';
import { openScene } from './support/rest-scene.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

const meanings = await readFile(new URL('../scripts/reference/settings.md', import.meta.url), 'utf8');

const envExample = await readFile(new URL('../.env.example', import.meta.url), 'utf8');

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'su').exec(readme)?.[1] ?? '';

describe('the README', () => {
  it('shows a mutation and its exact result over the demo', async () => {
    const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: ['t'], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    const gateway = await startGateway({ backend, local: true, token: 't' });
    const { body } = await gateway.send(block('graphql'));
    await gateway.close();
    expect(body).toEqual(JSON.parse(block('json')));
  });

  it('shows a switch that begins as that of the example client, which is tested', async () => {
    const client = await readFile(new URL('../examples/node-client/update-articles.ts', import.meta.url), 'utf8');
    const [firstLine = ''] = block('ts').split('\n');
    expect(client).toContain(firstLine);
    expect(firstLine).toContain('message, retryable');
  });

  it('shows the line that selects what to send again', async () => {
    const { service, backend } = await openScene({ bulkSize: 1 });
    service.on(
      'PUT /v2/Articles/bulkupdate',
      json(200, { success: true, data: [{ article_id: 'a', success: true }] }),
      json(409, { success: false, errors: [{ description: 'The article b is locked.' }] }),
      status(429, '', { 'retry-after': '120' }),
    );
    const gateway = await startGateway({ backend, local: false, token: 't' });
    const articles = ['a', 'b', 'c', 'd'].map((articleId) => ({ articleId, title: 'New' }));
    const update = `mutation ($articles: [ArticleUpdateInput!]!) {
      bulkUpdateArticles(input: { articles: $articles }) { ... on BulkUpdateArticlesPayload { results { retryable } } }
    }`;
    const { body } = await gateway.send(update, { articles });
    await gateway.close();
    const { results } = Object(body.data?.['bulkUpdateArticles']);
    expect(runInNewContext(`${block('js')}; sendAgain`, { articles, results })).toEqual(articles.slice(2));
  });

  it('has at most 130 lines, and names Document360 in its first sentence', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(131);
    expect(/^# .+\n\n(?<first>[^.]*)/u.exec(readme)?.groups?.['first']).toContain('Document360');
  });

  it('has a picture of service, gateway and clients, and one of each page', () => {
    const pictures = [...readme.matchAll(/!\[[^\]]{20,}\]\((?<path>[^)]+)\)/gu)].map(({ groups }) => groups?.['path']);
    expect(pictures).toEqual(['docs/pictures/gateway.svg', 'docs/pictures/console.png', 'docs/pictures/graphiql.png']);
  });
});

describe('the first page of the site', async () => {
  const page = await readFile(new URL('../docs/index.md', import.meta.url), 'utf8');

  it('has the command that installs, the picture, and a door for each kind of reader', () => {
    expect(page).toContain('npm install && npm start');
    expect(page).toContain('](pictures/gateway.svg)');
    expect(page).toMatch(/^\| you build a frontend \| you edit the docs \| you run the gateway \|$/mu);
    expect(page).toContain('](deployment.md)');
    expect(page).toContain('](tutorial.md)');
  });
});

describe('the table of settings', () => {
  it('names every setting, and so does .env.example', () => {
    const rows = meanings.match(/^\| `[A-Z_`, ]+`(?: or `[A-Z_]+`)? \|/gmu) ?? [];
    const settings = SETTING_NAMES.filter((name) => !(name in SETTING_GROUPS.TELEMETRY)).sort();
    const names = (lines: readonly string[]) => lines.flatMap((line) => line.match(/[A-Z_]+/gu) ?? []).sort();
    expect(names(rows)).toEqual(settings);
    expect(names(envExample.match(/^#[A-Z_]+(?==$)/gmu) ?? [])).toEqual(settings);
  });
});
