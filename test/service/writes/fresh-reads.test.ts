import { describe, expect, it } from 'vitest';
import { LISTED_WITH_PUBLIC_VERSION } from '../../../src/core/articles/article-previews.ts';
import { isPlaced, revisionOf } from '../../../src/core/articles/revisions.ts';
import { revisionOfGroup } from '../../../src/core/reader-groups/reader-groups.ts';
import { type Behaviour, envelope, json, status } from '../../support/faulty-service.ts';
import { foundGroup, groupWritten, joining } from '../../support/kept-group.ts';
import { callerWith, openAcceptedScene } from '../../support/rest-scene.ts';

/** After it, the gateway waits for longer than a read may be older than its write. */
const limited = status(429, '', { 'x-ratelimit-reset': '2' });

/** Others change what is there when the first write is refused. */
const limitedWhile =
  (change: () => void): Behaviour =>
  (response, request) => {
    change();
    return limited(response, request);
  };

describe('an update of a reader group that waits for the rate limit after its read', () => {
  const GET = 'GET /v2/Readers/groups/g1';
  const PUT = 'PUT /v2/Readers/groups/g1';

  async function openChangingGroup() {
    const scene = await openAcceptedScene();
    let members = { associated_readers: ['r1', 'r2'] };
    scene.service.on(GET, (response, request) => foundGroup(members)(response, request));
    const change = () => {
      members = { associated_readers: ['r1', 'r2', 'theirs'] };
    };
    scene.service.on(PUT, limitedWhile(change), groupWritten);
    return scene;
  }

  it.each([
    ['updateReaderGroup', ['r1', 'r2', 'theirs']],
    ['changeReaderGroupMembers', ['r1', 'r2', 'theirs', 'mine']],
  ] as const)('reads it anew, so that no member is lost: %s', async (write, readers) => {
    const { service, backend, caller } = await openChangingGroup();
    const result = await (write === 'updateReaderGroup'
      ? backend.updateReaderGroup(caller, { groupId: 'g1', title: 'New' })
      : backend.changeReaderGroupMembers(caller, joining('mine')));
    expect(result).toMatchObject({ ok: true });
    expect(service.receivedOn(PUT).map(({ body }) => Object(body).associated_readers)).toEqual([
      expect.not.arrayContaining(['theirs']),
      readers,
    ]);
  });

  it('is not sent where the group no longer has the expected revision', async () => {
    const { service, backend, caller } = await openChangingGroup();
    const read = await backend.readerGroups(caller, ['g1']);
    const group = read[0]?.ok ? read[0].value : null;
    if (group === null) throw new Error('There is no group.');
    const update = { groupId: 'g1', title: 'New', ifRevision: revisionOfGroup(group) };
    expect(await backend.updateReaderGroup(callerWith(), update)).toMatchObject({ error: { kind: 'changed-since' } });
    expect(service.receivedOn(PUT)).toHaveLength(1);
  });
});

const target = { articleId: 'a', languageCode: 'en' };

async function openChangingArticle() {
  const { service, backend } = await openAcceptedScene();
  const article = {
    id: 'a',
    title: 'Title',
    hidden: false,
    status: 0,
    translation_option: 0,
    modified_at: '2026-01-01T00:00:00Z',
    latest_version: 2,
    public_version: 0,
    version_number: 2,
    category_id: 'c',
    project_version_id: 'v',
  };
  const version = {
    id: 'v',
    version_code_name: 'v',
    is_main_version: true,
    language_versions: [{ code: 'en', name: 'en', set_as_default: true }],
  };
  service.on('GET /v2/ProjectVersions', json(200, envelope([version])));
  service.onAny((response, request) => json(200, envelope(article))(response, request));
  const selection = { ...LISTED_WITH_PUBLIC_VERSION, withRevision: true };
  const read = await backend.articlesOfUpdates(callerWith(), [target], selection);
  const found = read.ok ? (read.value[0] ?? null) : null;
  const ifRevision = found && isPlaced(found) ? (revisionOf(found) ?? '') : '';
  return { service, backend, article, item: { ...target, ifRevision } };
}

const accepted = json(200, envelope([{ article_id: 'a', success: true }]));

describe('an update that expects a revision, and waits for the rate limit', () => {
  const PUT = 'PUT /v2/Articles/bulkupdate';

  it.each([false, true])('is compared anew, and sent where nobody has changed the article: %s', async (isChanged) => {
    const { service, backend, article, item } = await openChangingArticle();
    const change = () => {
      if (isChanged) article.title = 'Theirs';
    };
    service.on(PUT, limitedWhile(change), accepted);
    expect(await backend.bulkUpdateArticles(callerWith(), [{ ...item, title: 'Mine' }])).toMatchObject({
      value: { outcomes: [isChanged ? { kind: 'not-attempted', reason: 'CHANGED_SINCE' } : { kind: 'updated' }] },
    });
    expect(service.receivedOn(PUT)).toHaveLength(isChanged ? 1 : 2);
  });
});

describe('a publication that expects a revision', () => {
  const POST = 'POST /v2/Articles/bulkpublish/en';

  it('is compared anew where it has waited for the rate limit', async () => {
    const { service, backend, article, item } = await openChangingArticle();
    const change = () => {
      article.title = 'Theirs';
    };
    service.on(POST, limitedWhile(change), accepted);
    expect(await backend.publishArticles(callerWith(), { items: [item], userId: 'u' })).toMatchObject({
      value: { outcomes: [{ kind: 'not-attempted', reason: 'CHANGED_SINCE' }] },
    });
    expect(service.receivedOn(POST)).toHaveLength(1);
  });

  it('is sent after the wait where nobody has changed the article', async () => {
    const { service, backend, item } = await openChangingArticle();
    service.on(POST, limited, accepted);
    expect(await backend.publishArticles(callerWith(), { items: [item], userId: 'u' })).toMatchObject({
      value: { outcomes: [{ kind: 'updated', publication: 'PUBLISHED' }] },
    });
  });

  it('is compared before the first write of the request to that text', async () => {
    const { service, backend, article, item } = await openChangingArticle();
    service.on(POST, (response, request) => {
      article.public_version = Object(request.body)[0].version_number;
      article.status = 3;
      return accepted(response, request);
    });
    const items = [1, 2].map((versionNumber) => ({ ...item, versionNumber }));
    expect(await backend.publishArticles(callerWith(), { items, userId: 'u' })).toMatchObject({
      value: { outcomes: [{ kind: 'updated' }, { kind: 'updated' }] },
    });
    expect(service.receivedOn(POST)).toHaveLength(2);
  });
});
