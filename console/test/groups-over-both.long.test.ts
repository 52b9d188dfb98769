import { expect, it } from 'vitest';
import { reset, status } from '../../test/support/faulty-service.ts';
import { openTab, seriousIssues } from './support/console-page.ts';
import { describeOverBoth } from './support/scenes.ts';

const GROUP = '/v2/Readers/groups/staff';

describeOverBoth('a reader group', (scene, isService) => {
  const edit = async () => {
    const { page } = scene();
    await openTab(page, 'Reader groups');
    await page.getByRole('button', { name: /^Staff/u }).click();
    await page.getByLabel('Nothing').check();
    await page.getByRole('list', { name: 'Members' }).getByRole('checkbox').first().uncheck();
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog');
    await preview.getByText('1 person loses access').waitFor();
    await preview.getByText('The group can now read: Nothing. Until now: The whole project.').waitFor();
  };

  const save = () => scene().page.getByRole('button', { name: 'Save', exact: true }).click();

  const stored = async () =>
    Object(await scene().ask('{ readerGroup(groupId: "staff") { readerIds accessScope { level } } }')).readerGroup;

  it('is changed in scope and members after a preview', async () => {
    await edit();
    expect(await stored()).toMatchObject({ accessScope: { level: 'PROJECT' } });
    await save();
    await scene().page.getByText('Saved.').waitFor();
    expect(await stored()).toEqual({ readerIds: ['reader-dana'], accessScope: { level: 'NONE' } });
  });

  if (isService) {
    it('whose outcome is unknown is read again, keeps what was typed, and shows what is left of it', async () => {
      const { page, cutNext } = scene();
      await edit();
      cutNext(`PUT ${GROUP}`, reset());
      await save();
      await page.getByText('a new preview shows then what is left to do.').waitFor();
      expect(await seriousIssues(page)).toEqual([]);
      await page.getByRole('button', { name: 'Read the group again' }).click();
      await page.getByText('a new preview shows then what is left to do.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('This would change Staff:').waitFor();
      cutNext(`PUT ${GROUP}`);
      await save();
      await page.getByRole('button', { name: 'Read the group again' }).click();
      await page.getByText('a new preview shows then what is left to do.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByText('Nothing would change.').waitFor();
      expect(await stored()).toEqual({ readerIds: ['reader-dana'], accessScope: { level: 'NONE' } });
    });

    it('that cannot be read now says so, and is read once more', async () => {
      const { page, cutNext } = scene();
      await openTab(page, 'Reader groups');
      cutNext(`GET ${GROUP}`, status(500));
      await page.getByRole('button', { name: /^Staff/u }).click();
      await page.getByRole('button', { name: /again/u }).click();
      await page.getByLabel('Title', { exact: true }).waitFor();
    });
  }
});
