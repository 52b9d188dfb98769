import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import type { Gateway } from '../../test/support/gateway.ts';
import { answer, openTab, seriousIssuesInAllLooks } from './support/console-page.ts';
import { describeOverStore, type StoreScene } from './support/scenes.ts';

const EMPTY = {
  project_versions: [],
  languages: [],
  categories: [],
  articles: [],
  readers: [],
  invited_sso_users: [],
  team_accounts: [],
  reader_groups: [],
};

describeOverStore('reader groups', (scene) => {
  let backend: StoreScene['backend'];
  let gateway: Gateway;
  let page: Page;

  beforeEach(async () => {
    ({ backend, gateway, page } = scene());
    await openTab(page, 'Reader groups');
    await page.getByText('7 groups').waitFor();
  });

  const stored = async (title: string) => {
    const query =
      '{ readerGroups(first: 50) { nodes { title accessScope { level } readers(first: 9) { nodes { email } } } } }';
    const { body } = await gateway.send(query);
    const groups = body.data?.['readerGroups'] as { readonly nodes: readonly { readonly title: string }[] };
    return groups.nodes.find((group) => group.title === title);
  };

  const open = (title: string) => page.getByRole('button', { name: title }).click();
  const preview = async () => {
    await page.getByRole('button', { name: 'Preview' }).click();
    return page.getByRole('dialog');
  };
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const title = () => page.getByLabel('Title', { exact: true });

  it('are listed in words, and found by a search', async () => {
    const groups = page.getByRole('list', { name: 'Groups' }).getByRole('button');
    expect(await groups.allInnerTexts()).toEqual(
      expect.arrayContaining(['Installers\n2 categories, 4 members', 'Staff\nThe whole project, 3 members']),
    );
    await page.getByLabel('Search groups').fill('HUB');
    await expect.poll(() => groups.allInnerTexts()).toEqual(['Owners of the classic hub\n1 version, 1 member']);
    await page.getByLabel('Search groups').fill('nothing like it');
    await page.getByText('No group matches.').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
  });

  it('are changed in scope and members, and saved only after a preview in words', async () => {
    await open('Installers');
    await page.getByLabel('The whole project').check();
    await page.getByLabel('Add people').fill('dana@');
    await page.getByLabel('Add people').press('Enter');
    await page.getByRole('button', { name: 'Add Dana Novak' }).click();
    await page.getByRole('checkbox', { name: 'Ada Fern' }).uncheck();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    const dialog = await preview();
    await dialog.getByText('1 person loses access, unless another group gives it: Ada Fern.').waitFor();
    await dialog.getByText('1 person gets access: Dana Novak.').waitFor();
    await dialog
      .getByText(
        'The group can now read: The whole project. Until now: Chosen categories: First steps, Troubleshooting.',
      )
      .waitFor();
    expect(await stored('Installers')).toMatchObject({ accessScope: { level: 'CATEGORY' } });
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await save();
    expect(await stored('Installers')).toMatchObject({ accessScope: { level: 'PROJECT' } });
    expect(JSON.stringify(await stored('Installers'))).toContain('dana@');
    expect(JSON.stringify(await stored('Installers'))).not.toContain('ada@');
    await page.getByText('The whole project, 4 members').waitFor();
    expect(await focused()).toBe('Preview');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Choose a group to see who is in it').waitFor();
    await expect.poll(focused).toContain('Installers');
  });

  it('get categories by the ticks of a tree, by keys alone', async () => {
    await open('Installers');
    const tree = page.getByRole('list', { name: 'Categories' });
    const branch = tree.getByRole('checkbox', { name: 'Daily use' });
    await tree.getByRole('button', { name: 'In Daily use' }).press('Enter');
    await tree.getByRole('checkbox', { name: 'Rooms' }).press('Space');
    expect(await branch.evaluate((box) => box.matches(':indeterminate'))).toBe(true);
    await tree.getByText('1 of 3').waitFor();
    await branch.press('Space');
    expect(await tree.getByRole('checkbox', { name: 'Scenes' }).isChecked()).toBe(true);
    await tree.getByRole('checkbox', { name: 'First steps' }).press('Space');
    const dialog = await preview();
    await dialog.getByText('The group can now read 3 more categories: Daily use, Rooms, Scenes.').waitFor();
    await dialog.getByText('The group can no longer read 1 category: First steps.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Preview');
    await tree.getByRole('checkbox', { name: 'Troubleshooting' }).press('Space');
    await branch.press('Space');
    await tree.getByRole('checkbox', { name: 'Daily use' }).isChecked();
    await page.getByText('Choose at least one.').waitFor();
    expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
  });

  it('take a pasted list of 200 people, and name those who are not known', async () => {
    await open('Former testers');
    const strangers = Array.from({ length: 196 }, (_, index) => `nobody-${index}@example.com`);
    const pasted = ['Ada Fern <ADA@example.com>; bo@example.com,farid@example.com', 'hugo@example.net', ...strangers];
    await page.getByLabel('Add people').fill(pasted.join('\n'));
    await page.getByRole('button', { name: 'Find people' }).click();
    await page.getByText('3 added. 1 in the group already. 196 not known, still in the field: nobody-0@').waitFor();
    expect((await page.getByLabel('Add people').inputValue()).split('\n')).toEqual(strangers);
    const dialog = await preview();
    await dialog.getByText('3 people get access: Ada Fern, Bo Lindqvist, hugo@example.net.').waitFor();
    await save();
    const members = page.getByRole('list', { name: 'Members' }).getByRole('checkbox');
    await expect.poll(() => members.count()).toBe(4);
    await page.getByLabel('Search members').fill('LIND');
    await expect.poll(() => members.count()).toBe(1);
  });

  it('take addresses of all people, where names are searched among the first thousand alone', async () => {
    const readers = Array.from({ length: 1_100 }, (_, index) => ({
      reader_id: `zz-${String(index).padStart(4, '0')}`,
      first_name: 'Number',
      last_name: String(index),
      email: `number-${index}@example.com`,
    }));
    await backend.importKnowledgeBase({ ...EMPTY, readers }, () => {});
    await open('Former testers');
    await page.getByLabel('Add people').fill('Number 7, NUMBER-1099@example.com, Number 1050, nobody@example.com');
    await page.getByRole('button', { name: 'Find people' }).click();
    const status = page.getByText('2 added. 2 not known, still in the field: Number 1050, nobody@example.com.');
    await status.waitFor();
    expect(await status.textContent()).toContain('Names are searched among the first 1002 only');
    await (await preview()).getByText('2 people get access: Number 7, Number 1099.').waitFor();
  });

  it('keep what is typed while another view is shown', async () => {
    await open('Installers');
    await title().fill('Another title');
    await openTab(page, 'Jobs');
    await openTab(page, 'Reader groups');
    expect(await title().inputValue()).toBe('Another title');
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    expect(await title().inputValue()).toBe('Installers');
  });

  it('that somebody else has changed meanwhile show theirs, and write nothing of mine over it', async () => {
    await open('Staff');
    await title().fill('All staff');
    await page.getByRole('checkbox', { name: 'Ada Fern' }).uncheck();
    await gateway.send(
      'mutation { updateReaderGroup(input: { groupId: "staff", title: "Crew", description: "New" }) { __typename } }',
    );
    await page.getByRole('button', { name: 'Preview' }).click();
    const theirs = page.getByRole('region', { name: 'Changed meanwhile' });
    await theirs.getByText('Title: Staff → Crew').waitFor();
    expect(await focused()).toContain('Somebody else changed this group meanwhile.');
    await theirs.getByText('Description: none → New').waitFor();
    expect(await seriousIssuesInAllLooks(page)).toEqual([]);
    await theirs.getByRole('button', { name: 'Take theirs: Title' }).click();
    expect(await title().inputValue()).toBe('Crew');
    await (await preview()).getByText('1 person loses access').waitFor();
    await gateway.send(
      'mutation { changeReaderGroupMembers(input: { groupId: "staff", addReaderIds: ["reader-bo"] }) { __typename } }',
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await theirs.getByText('Members: 3 members → 4 members').waitFor();
    await preview();
    await save();
    const members = JSON.stringify(await stored('Crew'));
    expect([members.includes('bo@'), members.includes('ada@')]).toEqual([true, false]);
  });

  it('may read chosen languages, which are told by their names, and nothing while none is chosen', async () => {
    await open('Owners of the classic hub');
    expect(await page.getByRole('radio', { name: 'Level 6' }).count()).toBe(0);
    for (const kind of ['Chosen versions', 'Chosen languages', 'Chosen categories']) {
      await page.getByRole('radio', { name: 'Nothing' }).check();
      await page.getByRole('radio', { name: kind }).check();
      expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true);
    }
    await page.getByRole('radio', { name: 'Chosen languages' }).check();
    await page.getByRole('checkbox', { name: 'Fernlight Classic · German' }).check();
    await (await preview())
      .getByText(
        'The group can now read: Chosen languages: Fernlight Classic · German. Until now: Chosen versions: Fernlight Classic.',
      )
      .waitFor();
    await save();
    expect(await stored('Owners of the classic hub')).toMatchObject({ accessScope: { level: 'LANGUAGE' } });
    await open('Partners');
    await page.getByRole('radio', { name: 'Level 6' }).waitFor();
  });

  it('are told the rule that a title breaks', async () => {
    await open('German readers');
    await page.getByLabel('Add people').fill('nobody at all');
    await page.getByRole('button', { name: 'Find people' }).click();
    await page.getByText('Nobody to add is found.').waitFor();
    await title().fill('German/readers');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('title must not contain /.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  it('are left with a question where something was typed', async () => {
    await open('Reviewers');
    await title().fill('Reviewers of all');
    await open('Staff');
    await page.getByRole('dialog', { name: 'Discard the changes of this group?' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await title().inputValue()).toBe('Reviewers of all');
    await open('Staff');
    await answer(page, 'Discard');
    await expect.poll(() => title().inputValue()).toBe('Staff');
  });
});
