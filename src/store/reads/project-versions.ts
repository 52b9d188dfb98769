import type { ProjectVersion } from '../../core/articles/articles.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { parseJsonArray } from '../database/dialect.ts';
import { defineStatement } from '../database/statements.ts';
import type { StoreDatabase } from '../tables/tables.ts';

const selectProjectVersions = defineStatement(({ db, dialect }: StoreDatabase) =>
  db
    .selectFrom('project_versions as p')
    .select(['p.id', 'p.name', 'p.is_default'])
    .select((eb) =>
      dialect
        .jsonArray(
          eb
            .selectFrom('languages as l')
            .select(['l.code', 'l.name', 'l.is_default'])
            .whereRef('l.project_version_id', '=', 'p.id')
            .orderBy('l.code'),
        )
        .as('languages'),
    )
    .orderBy('p.position'),
);

/** Project versions in the order of their creation, with their languages by code. */
export async function projectVersions(
  database: StoreDatabase,
): Promise<Result<readonly ProjectVersion[], BackendError>> {
  const rows = await selectProjectVersions(database, {});
  return ok(
    rows.map((row) => ({
      projectVersionId: row.id,
      name: row.name,
      isDefault: row.is_default === 1,
      languages: parseJsonArray(row.languages).map(({ code, name, is_default }) => ({
        code,
        name,
        isDefault: is_default === 1,
      })),
    })),
  );
}
