/**
 * Takes the pictures of the README over the demo: docs/pictures/console.png, with changes that are not sent yet, and
 * docs/pictures/graphiql.png, after an example ran. Needs Chromium, and reaches no other host.
 */
import { writeFileSync } from 'node:fs';
import { readConsoleFiles } from '../src/cli/console-files.ts';
import { startDemoGateway } from '../test/clients/demo-gateway.ts';
import { launchChromium, openPage } from '../test/support/chromium.ts';

const QUERY = '{\n  articles(first: 3) {\n    nodes { articleId title }\n    totalCount\n  }\n}\n';

const gateway = await startDemoGateway({ readConsole: readConsoleFiles });
const browser = await launchChromium();
const { page } = await openPage(browser, gateway.url);
await page.setViewportSize({ width: 1000, height: 520 });
await page.goto(`${gateway.target.url}?query=${encodeURIComponent(QUERY)}#token=${gateway.target.token}`);
await page.getByRole('button', { name: /execute query/iu }).click();
await page.getByText('evening-scene').waitFor();
writeFileSync('docs/pictures/graphiql.png', await page.screenshot());

await page.setViewportSize({ width: 1200, height: 660 });
const token = `#token=${gateway.target.token}`;
await page.goto(`${gateway.url}/console${token}`);
const row = (title: string) => page.getByRole('row').filter({ hasText: title });
await row('Pair a lamp').getByRole('gridcell').nth(1).dblclick();
await page.keyboard.press('End');
await page.keyboard.type(' with the hub');
await page.keyboard.press('Enter');
await row('Holiday mode').getByRole('checkbox').check();
await row('A wake-up light').getByRole('checkbox').check();
await page.getByRole('combobox', { name: 'to', exact: true }).selectOption('Hidden');
await page.getByRole('button', { name: 'Changes (2)' }).waitFor();
writeFileSync('docs/pictures/console.png', await page.screenshot());
await browser.close();
await gateway.close();
