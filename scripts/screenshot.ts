/**
 * Takes docs/pictures/graphiql.png: GraphiQL of a gateway over the demo, after its first example ran. Needs Chromium, and reaches
 * no other host.
 */
import { writeFileSync } from 'node:fs';
import { startDemoGateway } from '../test/clients/demo-gateway.ts';
import { launchChromium, openPage } from '../test/support/chromium.ts';

const QUERY = '{\n  articles(first: 3) {\n    nodes { articleId title }\n    totalCount\n  }\n}\n';

const gateway = await startDemoGateway();
const browser = await launchChromium();
const { page } = await openPage(browser, gateway.url);
await page.setViewportSize({ width: 1000, height: 520 });
await page.goto(`${gateway.target.url}?query=${encodeURIComponent(QUERY)}#token=${gateway.target.token}`);
await page.getByRole('button', { name: /execute query/iu }).click();
await page.getByText('evening-scene').waitFor();
writeFileSync('docs/pictures/graphiql.png', await page.screenshot());
await browser.close();
await gateway.close();
