import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { startGateway } from '../../support/gateway.ts';

// How two public programs read the service, in our own words: what they ask for, and what they fail without.

async function readFrom() {
  const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  onTestFinished(() => gateway.close());
  return async (path: string): Promise<unknown> => {
    const response = await fetch(`${gateway.url}/v2/${path}`, { headers: { api_token: TOKEN } });
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
    return z.object({ data: z.unknown() }).parse(await response.json()).data;
  };
}

const text = z.string().nullable();
const number = z.number().nullable();
const flag = z.boolean().nullable();

// Both read every member by its name, so that a missing one is a failure, and take null for one.
const listed = z.object({
  id: text,
  title: text,
  modified_at: text,
  public_version: number,
  latest_version: number,
  language_code: text,
  hidden: flag,
  status: number,
  order: number,
  slug: text,
  content_type: number,
  translation_option: number,
  is_shared_article: flag,
});

const category = z.object({
  id: text,
  name: text,
  description: text,
  project_version_id: text,
  order: number,
  parent_category_id: text,
  hidden: flag,
  icon: text,
  slug: text,
  language_code: text,
  category_type: number,
  created_at: text,
  modified_at: text,
  status: number,
  content_type: number,
  articles: z.array(listed),
  get child_categories() {
    return z.array(category);
  },
});

const whole = listed.omit({ language_code: true }).extend({
  content: text,
  html_content: text,
  category_id: text,
  project_version_id: text,
  version_number: number,
  enable_rtl: flag,
  created_by: text,
  created_at: text,
  is_fall_back_content: flag,
  description: text,
  category_type: number,
  url: text,
  authors: z.array(z.object({ email_id: text })),
});

const projectVersion = z.object({
  id: z.string(),
  version_number: z.number(),
  base_version_number: z.number(),
  version_code_name: z.string(),
  is_main_version: z.boolean(),
  is_beta: z.boolean(),
  is_public: z.boolean(),
  is_deprecated: z.boolean(),
  created_at: z.string(),
  modified_at: z.string(),
  language_versions: z.array(z.unknown()),
  slug: text,
  order: z.number(),
  version_type: z.number(),
});

/** The articles of a category and of all below it. */
const articlesBelow = ({
  articles,
  child_categories: children,
}: z.output<typeof category>): readonly z.output<typeof listed>[] => [...articles, ...children.flatMap(articlesBelow)];

describe('public programs that read the service', () => {
  it('LlamaIndex: reads all project versions, their trees, and each article by its ID alone', async () => {
    const read = await readFrom();
    const texts: string[] = [];
    for (const { id } of z.array(projectVersion).parse(await read('ProjectVersions')))
      for (const root of z.array(category).parse(await read(`ProjectVersions/${id}/categories`)))
        for (const article of articlesBelow(root)) {
          const found = whole.parse(await read(`Articles/${article.id}`));
          texts.push(`${found.id}: ${found.html_content}`);
        }
    expect(texts).toContain('a2: <p>Text of a2 in en, version 1.</p>\n');
    expect(texts.filter((one) => one.endsWith(': null'))).toEqual([]);
  });

  it('Onyx: finds a workspace by its name, and indexes the HTML of each article with two times', async () => {
    const read = await readFrom();
    const versions = z.array(projectVersion).parse(await read('ProjectVersions'));
    const workspace = versions.find(({ version_code_name: name }) => name === 'v1');
    const documents: { id: string | null; text: string }[] = [];
    for (const root of z.array(category).parse(await read(`ProjectVersions/${workspace?.id}/categories`)))
      for (const { id } of articlesBelow(root)) {
        const found = whole.parse(await read(`Articles/${id}?langCode=en`));
        const times = [found.modified_at, found.created_at].map((time) => Date.parse(time ?? ''));
        expect(times.some(Number.isNaN), `${id}`).toBe(false);
        documents.push({ id, text: found.html_content?.replaceAll(/<[^>]*>/gu, '').trim() ?? '' });
      }
    expect(documents).toContainEqual({ id: 'a1', text: 'Text of a1 in en, version 2.' });
    expect(documents.filter((one) => one.text === '')).toEqual([]);
  });
});
