import { err, ok, type Result } from '../base/result.ts';
import type {
  ArticlesAnswer,
  PlanFailure,
  PlanGateway,
  StoredCategory,
  StoredText,
  TargetArticle,
} from './plan-gateway.ts';

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

/** True for an article that readers see. */
export const isPublic = ({ publicVersionNumber, status }: TargetArticle): boolean =>
  publicVersionNumber !== null || status === 'PUBLISHED';

/** The value of an answer. Throws with a message for people where there is none. */
export function answeredBy<Data>(answer: Result<Data, PlanFailure>): Data {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** The result of a write. Throws with a message for people where there is none. */
export function resultOf<Written>(answer: Result<{ readonly result: Written | null }, PlanFailure>): Written {
  const { result } = answeredBy(answer);
  if (result === null) throw new Error('there was no answer.');
  return result;
}

/** Finds the project version by its ID or its name; the default one where none is given. */
export async function readTarget(gateway: PlanGateway, given: string | undefined): Promise<Result<Target, string>> {
  const { knowledgeBaseId, projectVersions } = answeredBy(await gateway.versions({}));
  if (knowledgeBaseId === null || projectVersions === null) return err('the project versions could not be read.');
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

/** The most objects of one request. Over the service each text is a call, of which a request may make 60 with those of lists. */
const BATCH = 40;

/** Reads the tree of categories, level by level. */
export async function readCategories(
  gateway: PlanGateway,
  { projectVersionId }: Target,
): Promise<readonly StoredCategory[]> {
  const { categories } = answeredBy(await gateway.rootCategories({ version: projectVersionId }));
  const all: StoredCategory[] = [];
  let level: readonly (StoredCategory & { readonly id: string })[] = inParent(categories, null);
  while (level.length > 0) {
    all.push(...level);
    const below: (typeof level)[number][] = [];
    for (const part of inBatches(level, BATCH)) {
      const { nodes } = answeredBy(await gateway.childCategories({ ids: part.map(({ id }) => id) }));
      for (const [index, node] of nodes.entries())
        below.push(...inParent(node?.children ?? null, part[index]?.categoryId ?? null));
    }
    level = below;
  }
  return all;
}

const inParent = <Category>(categories: readonly Category[] | null, parentId: string | null) =>
  categories?.map((category) => ({ ...category, parentId })) ?? [];

export const inBatches = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

/** The articles of a language, by their IDs. */
export async function listStoredArticles(
  gateway: PlanGateway,
  { projectVersionId: version }: Target,
  language: string,
): Promise<ReadonlyMap<string, TargetArticle>> {
  const articles = new Map<string, TargetArticle>();
  let after: string | null = null;
  do {
    const { articles: page }: ArticlesAnswer = answeredBy(await gateway.articles({ version, language, after }));
    for (const article of page?.nodes ?? []) articles.set(article.articleId, article);
    after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return articles;
}

/**
 * Reads the texts of articles by their global IDs, in parts, so that they are not all there at once. The parts are smaller
 * where the gateway permits a request fewer calls.
 */
export async function* readTexts(gateway: PlanGateway, ids: readonly string[]): AsyncGenerator<StoredText> {
  let size = BATCH;
  for (let start = 0; start < ids.length; ) {
    const answer = await gateway.texts({ ids: ids.slice(start, start + size) });
    if (!answer.ok && answer.error.kind === 'too-large' && size > 1) {
      size = Math.ceil(size / 2);
      continue;
    }
    start += size;
    yield* answeredBy(answer).nodes.filter(isText);
  }
}

const isText = (node: StoredText | object | null): node is StoredText => node !== null && 'articleId' in node;

/** What an article is at one time, as far as lists show it. An article whose text has changed has another one. */
export const listedRevisionOf = ({ title, hidden, latestVersionNumber, modifiedAt, category }: TargetArticle): string =>
  JSON.stringify([title, hidden, latestVersionNumber, modifiedAt, category?.categoryId ?? null]);

/** True where two texts differ in the ends of lines and the space around them only, which a service may change. */
export const sameContent = (one: string, other: string | null): boolean => trimmed(one) === trimmed(other ?? '');
const trimmed = (text: string): string => text.replaceAll(/\r\n?/gu, '\n').trim();
