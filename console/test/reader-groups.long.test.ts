import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { readConsoleFiles } from '../../src/server/console-files.ts';
import { demoKnowledgeBase } from '../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../test/support/chromium.ts';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { type ConsolePage, openConsole, openTab, seriousIssuesInAllLooks } from './support/console-page.ts';

const TOKEN = 'kbg_of-this-test';

describe('reader groups', NEEDS_CHROMIUM, () => {
  let browser: Browser;
  let folder: string;
  let gateway: Gateway;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kb-gateway-groups-'));
    const databaseUrl = `sqlite:${join(folder, 'kb.db')}`;
    const backend = await openLocalBackend({ databaseUrl, apiTokens: [TOKEN], log: silentLog });
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    gateway = await startGateway({ backend, local: true, token: TOKEN, readConsole: readConsoleFiles });
    opened = await openConsole(browser, gateway.url, `#token=${TOKEN}`);
    ({ page } = opened);
    await openTab(page, 'Reader groups');
    await page
      .getByRole('button', { name: /members?$/u })
      .first()
      .waitFor();
  });

  afterEach(async () => {
    expect(opened.troubles).toEqual([]);
    await page.close();
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  const stored = async (title: string) => {
    const query =
      '{ readerGroups(first: 50) { nodes { title accessScope { level } readers(first: 9) { nodes { email } } } } }';
    const { body } = await gateway.send(query);
    const groups = body.data?.['readerGroups'] as { readonly nodes: readonly { readonly title: string }[] };
    return groups.nodes.find((group) => group.title === title);
  };

  it('are changed in scope and members, and saved only after a preview', async () => {
    const { title, email, name } = await target();
    await page.getByRole('button', { name: title }).click();
    await page.getByLabel('The whole project').check();
    await page.getByLabel('Add a reader, by name or email').fill(email);
    await page.getByLabel('Add a reader, by name or email').press('Enter');
    await page.getByRole('button', { name: `Add ${name}` }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview of the group' });
    await preview.getByText('This would change:').waitFor();
    expect(await preview.innerText()).toMatch(/Access: .*→ The whole project/u);
    expect(await preview.innerText()).toContain(email);
    expect(await stored(title)).not.toMatchObject({ accessScope: { level: 'PROJECT' } });
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored(title)).toMatchObject({ accessScope: { level: 'PROJECT' } });
    expect(JSON.stringify(await stored(title))).toContain(email);
  });

  it('get chosen categories, and lose a member', async () => {
    const { body } = await gateway.send(
      '{ readerGroups(first: 50) { nodes { title readers(first: 9) { nodes { email } } } } }',
    );
    const { readerGroups } = body.data as {
      readonly readerGroups: {
        readonly nodes: readonly { title: string; readers: { nodes: readonly { email: string }[] } }[];
      };
    };
    const group = readerGroups.nodes.find(({ readers }) => readers.nodes.length > 0);
    if (!group) throw new Error('The demo has a group with readers.');
    const email = group.readers.nodes[0]?.email ?? '';
    await page.getByRole('button', { name: group.title }).click();
    await page.getByLabel('Nothing').check();
    await page.getByLabel('Chosen categories').check();
    expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Daily use / Rooms' }).check();
    await page.getByRole('group', { name: 'Readers' }).getByLabel(email).uncheck();
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview of the group' });
    await preview.getByText('Removed:').waitFor();
    expect(await preview.innerText()).toMatch(/→ Chosen categories: Rooms/u);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored(group.title)).toMatchObject({ accessScope: { level: 'CATEGORY' } });
    expect(JSON.stringify(await stored(group.title))).not.toContain(email);
  });

  it('keep what is typed while another view is shown, and need a new preview after an edit', async () => {
    const { title } = await target();
    await page.getByRole('button', { name: title }).click();
    await page.getByLabel('Title', { exact: true }).fill('Another title');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    await page.getByLabel('Description').fill('Typed.');
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await openTab(page, 'Jobs');
    await openTab(page, 'Reader groups');
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Another title');
  });

  it('may read chosen languages, which are told by their names, and nothing while none is chosen', async () => {
    await page.getByRole('button', { name: 'Owners of the classic hub' }).click();
    for (const kind of ['Chosen versions', 'Chosen languages', 'Chosen categories']) {
      await page.getByRole('radio', { name: 'Nothing' }).check();
      await page.getByRole('radio', { name: kind }).check();
      expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
    }
    await page.getByRole('radio', { name: 'Chosen languages' }).check();
    await page.getByRole('checkbox', { name: 'Fernlight Classic · German' }).check();
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview of the group' });
    await preview.getByText('Access: Chosen versions: Fernlight Classic').waitFor();
    expect(await preview.innerText()).toContain('→ Chosen languages: Fernlight Classic · German');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored('Owners of the classic hub')).toMatchObject({ accessScope: { level: 'LANGUAGE' } });
  });

  it('get invited people, and are told the rule that a title breaks', async () => {
    await page.getByRole('button', { name: 'German readers' }).click();
    const search = page.getByLabel('Add an invited person, by email');
    await search.fill('nobody at all');
    await page.getByRole('button', { name: 'Search invited people' }).click();
    await page.getByText('Nobody to add is found.').waitFor();
    await search.fill('HUGO@');
    await page.getByRole('button', { name: 'Search invited people' }).click();
    await page.getByRole('button', { name: 'Add hugo@example.net' }).click();
    await page.getByLabel('Title', { exact: true }).fill('German/readers');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('title must not contain /.').first().waitFor();
    await page.getByLabel('Title', { exact: true }).fill('German readers');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview of the group' }).getByText('Added: hugo@example.net').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  });

  it('are left with a question where something was typed', async () => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      return asked.length === 1 ? dialog.dismiss() : dialog.accept();
    });
    await page.getByRole('button', { name: 'Reviewers' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Reviewers of all');
    await page.getByRole('button', { name: 'Staff' }).click();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Reviewers of all');
    await page.getByRole('button', { name: 'Staff' }).click();
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Staff');
    expect(asked).toEqual(['Discard the changes of this group?', 'Discard the changes of this group?']);
  });

  /** A group that has not the whole project, and a reader who is not in it. */
  async function target() {
    const { body } = await gateway.send(
      '{ readerGroups(first: 50) { nodes { title readerIds accessScope { level } } } readers(first: 50) { nodes { readerId email firstName } } }',
    );
    const { readerGroups, readers } = body.data as {
      readonly readerGroups: {
        readonly nodes: readonly { title: string; readerIds: string[]; accessScope: { level: string } }[];
      };
      readonly readers: { readonly nodes: readonly { readerId: string; email: string; firstName: string | null }[] };
    };
    const group = readerGroups.nodes.find(({ accessScope }) => accessScope.level === 'CATEGORY');
    const reader = readers.nodes.find(({ readerId }) => !group?.readerIds.includes(readerId));
    if (!group || !reader) throw new Error('The demo has such a group and reader.');
    return { title: group.title, email: reader.email, name: reader.firstName ?? reader.email };
  }
});
