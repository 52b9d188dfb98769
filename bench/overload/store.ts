import type { Ledger } from './ledger.ts';
import { READ_ARTICLES, readIdOf, TOKEN, titleOf, writtenIds } from './mix.ts';

const PAGE = 100;
const TITLES = `query ($after: String) {
  articles(first: ${PAGE}, after: $after) { nodes { articleId title } pageInfo { hasNextPage endCursor } }
}`;

/** The articles of the mix, in the format of `kb-gateway import`. */
export function knowledgeBase() {
  const ids = [...Array.from({ length: READ_ARTICLES }, (_, index) => readIdOf(index)), ...writtenIds()];
  return {
    project_versions: [{ id: 'version-1', name: 'Version 1', is_default: true }],
    languages: [{ code: 'en', name: 'English', is_default: true, project_version_id: 'version-1' }],
    categories: [
      { id: 'category-1', project_version_id: 'version-1', parent_category_id: null, name: 'All', order: 1 },
    ],
    articles: ids.map((id, index) => ({
      id,
      project_version_id: 'version-1',
      category_id: 'category-1',
      slug: id,
      order: index + 1,
      hidden: false,
      content_type: 'markdown',
      versions: [{ lang_code: 'en', version_number: 1, title: titleOf(id), content: 'Soon.', translation_option: '0' }],
    })),
    readers: [],
    invited_sso_users: [],
    reader_groups: [],
  };
}

/** The store itself is the ledger: it is read through the gateway once nobody writes any more. */
export const storeLedger = (port: number): Ledger => ({
  async titles() {
    const titles = new Map<string, string>();
    for (let after: string | null = null, isLast = false; !isLast; ) {
      const page: TitlePage = await readPage(port, after);
      for (const { articleId, title } of page.nodes) if (title !== titleOf(articleId)) titles.set(articleId, title);
      after = page.pageInfo.endCursor;
      isLast = !page.pageInfo.hasNextPage;
    }
    return titles;
  },
  timesSent: () => null,
});

interface TitlePage {
  readonly nodes: readonly { readonly articleId: string; readonly title: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function readPage(port: number, after: string | null): Promise<TitlePage> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: TOKEN },
    body: JSON.stringify({ query: TITLES, variables: { after } }),
  });
  const { data }: { data: { articles: TitlePage } } = JSON.parse(await response.text());
  return data.articles;
}
