import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RetitleDocument } from '../../support/generated/operations.ts';
import { ask, type RunningGateway, startGatewayProcess } from '../../support/process.ts';
import { API_TOKEN, makeManyArticles, storedMembers, storedTitles } from '../many-articles.ts';
import { linesOf } from './worker-log.ts';
import { openWorkerScene, upTo, type WorkerScene } from './worker-scene.ts';

let scene: WorkerScene;
let cwd: string;
let running: RunningGateway[];

beforeEach(async () => {
  scene = await openWorkerScene();
  ({ cwd, running } = scene);
});

afterEach(() => scene.close());

const start: WorkerScene['start'] = (...args) => scene.start(...args);

describe('many workers', () => {
  it('stop in time even if they do not listen yet', async () => {
    const gateway = await startGatewayProcess({ cwd, settings: { WORKERS: '4' } });
    running.push(gateway);
    const { code, log } = await gateway.stop();
    expect(code).toBe(0);
    expect(linesOf(log).at(-1)).toMatchObject({ level: 'info', message: 'stopped' });
  });

  it('lose no update of articles that all of them write concurrently', async () => {
    await makeManyArticles(cwd, 40);
    const gateway = { ...(await start(4, { API_TOKEN, DATABASE_URL: 'sqlite:kb.db' })), token: API_TOKEN };
    const writers = upTo(40).map(async (n) => {
      for (const round of upTo(10)) {
        const articles = [{ articleId: `article-${n}`, title: `Round ${round}` }];
        const { bulkUpdateArticles } = await ask(gateway, RetitleDocument, { articles });
        expect(bulkUpdateArticles).toMatchObject({ results: [{ __typename: 'ArticleUpdated' }] });
      }
    });
    await Promise.all(writers);
    expect(storedTitles(cwd)).toEqual(new Map(upTo(40).map((n) => [`article-${n}`, 'Round 9'])));
  });

  it('lose no member of a group to which all of them add concurrently', async () => {
    await makeManyArticles(cwd, 60);
    const { url } = await start(4, { API_TOKEN, DATABASE_URL: 'sqlite:kb.db' });
    const joins = upTo(60).map(async (n) => {
      const query = `mutation { changeReaderGroupMembers(input: { groupId: "group-0", addReaderIds: ["reader-${n}"] })
        { __typename } }`;
      const headers = { 'content-type': 'application/json', api_token: API_TOKEN };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
      return response.json();
    });
    for (const answer of await Promise.all(joins)) {
      expect(answer).toEqual({ data: { changeReaderGroupMembers: { __typename: 'ChangeReaderGroupMembersPayload' } } });
    }
    expect(storedMembers(cwd)).toBe(60);
  });
});
