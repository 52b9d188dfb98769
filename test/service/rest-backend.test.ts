import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { json, status } from '../support/faulty-service.ts';
import { openScene } from '../support/rest-scene.ts';

describe('the readiness of the REST backend', () => {
  it('tells, without a request, whether the port of the service takes connections', async () => {
    const { service, backend } = await openScene();
    expect(await backend.checkReady()).toEqual({ ok: true, value: undefined });
    expect(service.received).toEqual([]);
    const { port } = new URL(service.url);
    await service.close();
    const ready = await backend.checkReady();
    expect(ready).toEqual({
      ok: false,
      error: 'The service cannot be reached (ECONNREFUSED): the connection was refused.',
    });
    expect(JSON.stringify(ready)).not.toContain(port);
  });

  it('connects to the default port where the address names none', async () => {
    const options = { timeoutMs: 1_000, bulkSize: 1, maxReadCalls: 1, log: silentLog };
    const backend = openRestBackend({ ...options, baseUrl: 'https://[::1]/' });
    expect(await backend.checkReady()).toMatchObject({ ok: false });
    await backend.close();
  });
});

describe('the log of a write', () => {
  const logged = async (write: 'bulk' | 'group') => {
    const lines: { level: string; message: string; fields: unknown }[] = [];
    const scene = await openScene({
      bulkSize: 1,
      log: (level, message, fields) => {
        lines.push({ level, message, fields });
      },
    });
    scene.service.on(
      'PUT /v2/Articles/bulkupdate',
      json(200, { success: true, data: [{ article_id: 'secret-id', success: true, details: 'secret details' }] }),
      status(502),
    );
    scene.service.on('PUT /v2/Readers/groups/g', status(502));
    const bulk = [1, 2, 3].map(() => ({ articleId: 'secret-id', title: 'secret title' }));
    if (write === 'bulk') await scene.backend.bulkUpdateArticles(scene.caller, bulk);
    else {
      await scene.backend.updateReaderGroup(scene.caller, {
        groupId: 'g',
        title: 'secret title',
        description: null,
        readerIds: [],
        invitedSsoUserIds: [],
        accessScope: { level: 'NONE' },
      });
    }
    return lines;
  };

  it('is one line that counts the outcomes, without token and content', async () => {
    const lines = await logged('bulk');
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'write',
        fields: {
          requestId: 'request-1',
          operation: 'bulkUpdateArticles',
          calls: 2,
          httpStatus: 502,
          ms: expect.any(Number),
          updated: 1,
          failed: 0,
          unknown: 1,
          notAttempted: 1,
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|token-1/u);
  });

  it('names the outcome of a group', async () => {
    const lines = await logged('group');
    expect(lines).toMatchObject([
      { level: 'warn', message: 'write', fields: { httpStatus: 502, outcome: 'outcome-unknown' } },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|token-1/u);
  });
});
