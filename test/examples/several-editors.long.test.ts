import { expect, it, onTestFinished } from 'vitest';
import { callTool, connectTo, tokenOf } from '../mcp/mcp-client.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../support/chromium.ts';
import { openReactPage, REACT_PAGE, rowOf } from './react-page.ts';

it(
  'the recipe for several editors and an agent: nobody overwrites what another one has written',
  NEEDS_CHROMIUM,
  async () => {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const opened = await openReactPage(browser, ...REACT_PAGE);
    onTestFinished(() => opened.close());
    const second = await (await browser.newContext()).newPage();
    await second.goto(opened.origin);
    const [first, other] = [rowOf(opened.page, 'evening-scene'), rowOf(second, 'evening-scene')];
    const agent = await connectTo(opened.gatewayUrl, { authorization: `Bearer ${await opened.signJwt()}` });
    const update = { articles: [{ articleId: 'evening-scene', title: 'By an agent' }] };
    const preview = await callTool(agent, 'preview_article_updates', update);
    await other.type('By the second editor');
    await first.type('By the first editor');
    await first.click('Save');
    await first.says('Saved.');
    await other.click('Save');
    await other.says('Not saved: meanwhile it is called “By the first editor”.');
    const written = await callTool(agent, 'update_articles', { ...update, previewToken: tokenOf(preview) });
    expect(written.result).toMatchObject({
      bulkUpdateArticles: { results: [{ __typename: 'ArticleUpdateNotAttempted', reason: 'CHANGED_SINCE' }] },
    });
    await other.click('Save');
    await other.says('Saved.');
    const { result } = await callTool(agent, 'read_article', { articleId: 'evening-scene' });
    expect(result).toMatchObject({ article: { title: 'By the second editor' } });
  },
);
