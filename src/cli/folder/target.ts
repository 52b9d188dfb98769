import { z } from 'zod';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type GatewayClient, type GatewayOperation, operation } from '../bulk-update/gateway-client.ts';

/** The project version of a service or store that a folder is compared with. */
export interface Target {
  readonly knowledgeBaseId: string;
  readonly projectVersionId: string;
  readonly projectVersionName: string;
  /** The codes of its languages, the default one first. */
  readonly languages: readonly string[];
}

export const targetNameOf = ({ knowledgeBaseId, projectVersionId }: Target): string =>
  `${knowledgeBaseId} ${projectVersionId}`;

const VERSIONS = operation(
  'query FolderTarget { knowledgeBaseId projectVersions { projectVersionId name isDefault languages { code isDefault } } }',
  z.object({
    knowledgeBaseId: z.string(),
    projectVersions: z.array(
      z.object({
        projectVersionId: z.string(),
        name: z.string(),
        isDefault: z.boolean(),
        languages: z.array(z.object({ code: z.string(), isDefault: z.boolean() })).nullable(),
      }),
    ),
  }),
);

/** Sends an operation until it is answered. Throws with a message for people where that fails. */
export async function answerOf<Data>(
  client: GatewayClient,
  asked: GatewayOperation<Data>,
  variables: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const { answer } = await client.repeat(asked, JSON.stringify(variables));
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** Finds the project version by its ID or its name; the default one where none is given. */
export async function readTarget(client: GatewayClient, given: string | undefined): Promise<Result<Target, string>> {
  const { knowledgeBaseId, projectVersions } = await answerOf(client, VERSIONS, {});
  const named = projectVersions.filter(({ projectVersionId, name, isDefault }) =>
    given === undefined ? isDefault : [projectVersionId, name].includes(given),
  );
  const version = named.find(({ projectVersionId }) => projectVersionId === given) ?? named[0];
  const known = projectVersions.map(({ name, projectVersionId }) => `${name} (${projectVersionId})`).join(', ');
  if (version === undefined) return err(`there is no project version ${given ?? 'by default'}; there are: ${known}.`);
  const languages = (version.languages ?? []).toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault));
  if (languages.length === 0) return err(`the project version ${version.name} has no languages.`);
  const { projectVersionId, name } = version;
  return ok({
    knowledgeBaseId,
    projectVersionId,
    projectVersionName: name,
    languages: languages.map(({ code }) => code),
  });
}

const categoryShape = z.object({ categoryId: z.string(), name: z.string() });

export interface StoredCategory extends z.infer<typeof categoryShape> {
  /** The names from the top on, with their parents' before them. */
  readonly path: readonly string[];
}

const ROOTS = operation(
  'query FolderCategories($version: ID!) { categories(projectVersionId: $version) { id categoryId name } }',
  z.object({ categories: z.array(categoryShape.extend({ id: z.string() })).nullable() }),
);

const CHILDREN = operation(
  'query FolderSubcategories($ids: [ID!]!) { nodes(ids: $ids) { ... on Category { children { id categoryId name } } } }',
  z.object({
    nodes: z.array(z.object({ children: z.array(categoryShape.extend({ id: z.string() })).nullable() }).nullable()),
  }),
);

/** The most objects of one request. Over the service each text is a call, of which a request may make 60 with those of lists. */
const BATCH = 40;

/** Reads the tree of categories, level by level. */
export async function readCategories(
  client: GatewayClient,
  { projectVersionId }: Target,
): Promise<readonly StoredCategory[]> {
  const { categories } = await answerOf(client, ROOTS, { version: projectVersionId });
  let level = (categories ?? []).map((category) => ({ ...category, path: [category.name] }));
  const all: StoredCategory[] = [];
  while (level.length > 0) {
    all.push(...level);
    const below: typeof level = [];
    for (const part of inBatches(level, BATCH)) {
      const { nodes } = await answerOf(client, CHILDREN, { ids: part.map(({ id }) => id) });
      for (const [index, node] of nodes.entries())
        for (const child of node?.children ?? [])
          below.push({ ...child, path: [...(part[index]?.path ?? []), child.name] });
    }
    level = below;
  }
  return all;
}

export const inBatches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const articleShape = z.object({
  id: z.string(),
  articleId: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  order: z.number().nullable(),
  hidden: z.boolean(),
  status: z.string().nullable(),
  publicVersionNumber: z.number().nullable(),
  latestVersionNumber: z.number().nullable(),
  translationStatus: z.string().nullable(),
  modifiedAt: z.string().nullable(),
  category: z.object({ categoryId: z.string() }).nullable(),
});

/** An article in one language, without its text. */
export type TargetArticle = z.infer<typeof articleShape>;

const ARTICLE_FIELDS = `id articleId title slug order hidden status publicVersionNumber latestVersionNumber
      translationStatus modifiedAt category { categoryId }`;

const ARTICLES = operation(
  `query FolderArticles($version: ID!, $language: String!, $after: String) {
  articles(projectVersionId: $version, languageCode: $language, first: 100, after: $after) {
    nodes { ${ARTICLE_FIELDS} }
    pageInfo { hasNextPage endCursor }
  }
}`,
  z.object({
    articles: z
      .object({
        nodes: z.array(articleShape),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      })
      .nullable(),
  }),
);

export async function listStoredArticles(
  client: GatewayClient,
  { projectVersionId: version }: Target,
  language: string,
) {
  const articles = new Map<string, TargetArticle>();
  let after: string | null = null;
  do {
    const { articles: page }: z.infer<typeof ARTICLES.data> = await answerOf(client, ARTICLES, {
      version,
      language,
      after,
    });
    for (const article of page?.nodes ?? []) articles.set(article.articleId, article);
    after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return articles;
}

const TEXTS = operation(
  `query FolderTexts($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Article { content contentType revision ${ARTICLE_FIELDS} } }
}`,
  z.object({
    nodes: z.array(
      articleShape
        .extend({ content: z.string().nullable(), contentType: z.string().nullable(), revision: z.string().nullable() })
        .nullable(),
    ),
  }),
);

export type StoredText = z.infer<typeof articleShape> & {
  readonly content: string | null;
  readonly contentType: string | null;
  readonly revision: string | null;
};

/**
 * Reads the texts of articles by their global IDs, in parts, so that they are not all there at once. The parts are smaller
 * where the gateway permits a request fewer calls.
 */
export async function* readTexts(client: GatewayClient, ids: readonly string[]): AsyncGenerator<StoredText> {
  let size = BATCH;
  for (let start = 0; start < ids.length; ) {
    const { answer } = await client.repeat(TEXTS, JSON.stringify({ ids: ids.slice(start, start + size) }));
    if (answer.ok) {
      start += size;
      for (const node of answer.value.nodes) if (node !== null) yield node;
    } else if (answer.error.kind === 'too-large' && size > 1) size = Math.ceil(size / 2);
    else throw new Error(answer.error.message);
  }
}

/** What an article is at one time, as far as lists show it. An article whose text has changed has another one. */
export const listedRevisionOf = ({ title, hidden, latestVersionNumber, modifiedAt, category }: TargetArticle): string =>
  JSON.stringify([title, hidden, latestVersionNumber, modifiedAt, category?.categoryId ?? null]);
