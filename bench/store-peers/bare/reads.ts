import type { Query } from './query.ts';

/** The inputs of the reads. */
export interface BareReads {
  readonly first: number;
  readonly articleId: string;
}

const LATEST_VERSION = `
  from article_translations as t
  join articles as a on a.id = t.article_id
  join article_versions as v on v.article_id = t.article_id and v.language_code = t.language_code
    and v.version_number = t.latest_version_number`;

const ARTICLES = `
  select a.id as "articleId", v.title, a.slug, a.hidden, v.modified_at as "modifiedAt",
    c.id as category_id, c.name as category_name, p.id as project_version_id, p.name as project_version_name
  ${LATEST_VERSION}
  join project_versions as p on p.id = t.project_version_id
  left join categories as c on c.id = a.category_id
  where t.project_version_id = 'pv' and t.language_code = 'en'
  order by t.article_id limit $1`;

export async function readArticles(query: Query, { first }: Pick<BareReads, 'first'>): Promise<unknown> {
  const rows = await query(ARTICLES, [first]);
  return rows.map(({ category_id, category_name, project_version_id, project_version_name, hidden, ...article }) => ({
    ...article,
    hidden: hidden === 1,
    category: { categoryId: category_id, name: category_name },
    projectVersion: { projectVersionId: project_version_id, name: project_version_name },
  }));
}

const ARTICLE = `
  select a.id as "articleId", v.version_number as "versionNumber", v.title, v.content, a.slug, a.hidden,
    v.modified_at as "modifiedAt"
  ${LATEST_VERSION}
  where t.article_id = $1 and t.language_code = 'en'`;

export async function readArticle(query: Query, { articleId }: Pick<BareReads, 'articleId'>): Promise<unknown> {
  const [article] = await query(ARTICLE, [articleId]);
  return article ? { ...article, hidden: article['hidden'] === 1 } : null;
}

const GROUPS = 'select id as "groupId", title from reader_groups order by position limit $1';

const READERS = `
  select m.group_id, r.id as "readerId", r.first_name as "firstName", r.last_name as "lastName", r.email
  from reader_group_readers as m join readers as r on r.id = m.reader_id
  where m.group_id in (select id from reader_groups order by position limit $1)
  order by m.group_id, m.position`;

const SCOPES = `
  select s.group_id, c.name as category, p.name as "projectVersion", l.name as language
  from reader_group_scopes as s
  join project_versions as p on p.id = s.project_version_id
  left join categories as c on c.id = s.category_id
  left join languages as l on l.project_version_id = s.project_version_id and l.code = s.language_code
  where s.group_id in (select id from reader_groups order by position limit $1)
  order by s.group_id, s.position`;

export async function readGroups(query: Query, { first }: Pick<BareReads, 'first'>): Promise<unknown> {
  const [groups, readers, scopes] = await Promise.all([GROUPS, READERS, SCOPES].map((text) => query(text, [first])));
  const readersOf = Map.groupBy(readers ?? [], ({ group_id }) => group_id);
  const scopesOf = Map.groupBy(scopes ?? [], ({ group_id }) => group_id);
  return groups?.map(({ groupId, title }) => ({
    groupId,
    title,
    readers: (readersOf.get(groupId) ?? []).map(({ group_id: _, ...reader }) => reader),
    accessScope: {
      categories: (scopesOf.get(groupId) ?? []).map(({ category, projectVersion, language }) => ({
        category: { name: category },
        projectVersion: { name: projectVersion },
        language: { name: language },
      })),
    },
  }));
}
