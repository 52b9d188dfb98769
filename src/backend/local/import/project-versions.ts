import type { KnowledgeBase } from '../../../knowledge-base/knowledge-base.ts';
import type { ImportStep } from './insert-in-chunks.ts';
import { addAll, nextPosition } from './insert-in-chunks.ts';

/** Project versions and their languages, in the order of the file. */
export async function addProjectVersions(
  step: ImportStep,
  { projectVersions, languages }: Pick<KnowledgeBase, 'projectVersions' | 'languages'>,
): Promise<{ readonly projectVersions: number; readonly languages: number }> {
  const { within } = step;
  const firstVersion = await nextPosition(within, 'project_versions');
  const versionRows = projectVersions.map(({ projectVersionId, name }, index) => ({
    id: projectVersionId,
    name,
    is_default: 0,
    position: firstVersion + index,
  }));
  const languageRows = languages.map(({ projectVersionId, code, name }) => ({
    project_version_id: projectVersionId,
    code,
    name,
    is_default: 0,
  }));
  const added = {
    projectVersions: await addAll(step, 'project_versions', versionRows),
    languages: await addAll(step, 'languages', languageRows),
  };
  await markDefaultVersion(step, projectVersions);
  await markDefaultLanguages(step, languages);
  return added;
}

/** The one that says so, else the first, unless the store has a default already: that one stays. */
async function markDefaultVersion({ within }: ImportStep, versions: KnowledgeBase['projectVersions']): Promise<void> {
  const version = versions.find(({ isDefault }) => isDefault) ?? versions[0];
  if (!version) return;
  await within.db
    .updateTable('project_versions')
    .set({ is_default: 1 })
    .where('id', '=', version.projectVersionId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('project_versions as d').select('d.id').where('d.is_default', '=', 1))),
    )
    .execute();
}

/** The same for the languages of each project version. */
async function markDefaultLanguages({ within }: ImportStep, languages: KnowledgeBase['languages']): Promise<void> {
  const defaults = new Map<string, string>();
  for (const { projectVersionId, code, isDefault } of languages) {
    if (isDefault || !defaults.has(projectVersionId)) defaults.set(projectVersionId, code);
  }
  const rows = [...defaults].map(([project_version_id, code]) => ({ project_version_id, code }));
  const columns = { project_version_id: 'text', code: 'text' } as const;
  await within.db
    .updateTable('languages')
    .from(within.engine.rows({ alias: 'w', rows, columns }))
    .set({ is_default: 1 })
    .whereRef('languages.project_version_id', '=', 'w.project_version_id')
    .whereRef('languages.code', '=', 'w.code')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('languages as d')
            .select('d.code')
            .whereRef('d.project_version_id', '=', 'w.project_version_id')
            .where('d.is_default', '=', 1),
        ),
      ),
    )
    .execute();
}
