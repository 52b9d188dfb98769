import { describe, expect, it } from 'vitest';
import { readerGroupTitleProblem } from '../../../src/core/reader-groups/reader-group-updates.ts';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import { referenceProblems } from '../../../src/store/knowledge-base/references.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, openStore, value } from '../store.ts';

describe('the demo knowledge base', () => {
  it('has no broken references', () => {
    expect([...referenceProblems(demoKnowledgeBase)]).toEqual([]);
    expect(demoKnowledgeBase.reader_groups.map(({ title }) => readerGroupTitleProblem(title))).toEqual(
      demoKnowledgeBase.reader_groups.map(() => null),
    );
  });

  it('has a group of every access level, more than a page of the service has', () => {
    expect(new Set(demoKnowledgeBase.reader_groups.map(({ accessScope }) => accessScope.level)).size).toBe(7);
  });

  it('has an article of every editor, and translations', () => {
    const { articles } = demoKnowledgeBase;
    expect(new Set(articles.map(({ content_type: contentType }) => contentType)).size).toBe(3);
    expect(
      articles.filter(({ versions }) => versions.some(({ lang_code: languageCode }) => languageCode === 'de')).length,
    ).toBeGreaterThan(1);
  });

  it('stays beside what is imported later, as articles like others, and is not added again', async () => {
    const { backend } = await openStore({ knowledgeBase: smallKnowledgeBase });
    await backend.importDemo(demoKnowledgeBase);
    expect(value(await backend.projectVersions(caller))).toHaveLength(smallKnowledgeBase.project_versions.length);
    const demo = await openStore({ knowledgeBase: demoKnowledgeBase });
    await demo.backend.importKnowledgeBase(smallKnowledgeBase, () => {});
    const versions = value(await demo.backend.projectVersions(caller));
    expect(versions.filter(({ isDefault }) => isDefault)).toMatchObject([{ projectVersionId: 'fernlight-2' }]);
    expect(versions).toHaveLength(
      demoKnowledgeBase.project_versions.length + smallKnowledgeBase.project_versions.length,
    );
  });

  it('fills an empty store', async () => {
    const nothing = { project_versions: [], languages: [], categories: [], articles: [], readers: [] };
    const { backend } = await openStore({
      knowledgeBase: { ...nothing, team_accounts: [], invited_sso_users: [], reader_groups: [] },
    });
    expect(await backend.isEmpty()).toBe(true);
    await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
    expect(await backend.isEmpty()).toBe(false);
    expect(value(await backend.projectVersions(caller))).toHaveLength(2);
  });
});
