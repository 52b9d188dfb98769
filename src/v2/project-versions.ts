import { z } from 'zod';
import type { ProjectVersion } from '../domain/articles/project-versions.ts';
import type { JsonObject } from '../domain/notices.ts';
import { flag, listOf, text } from './fields.ts';

const language = z
  .object({ code: z.string().min(1), name: text, display_name: text, set_as_default: flag })
  .transform((entry) => ({
    code: entry.code,
    name: entry.name || entry.display_name || entry.code,
    isDefault: entry.set_as_default ?? false,
  }));

const projectVersion = z
  .object({
    id: z.string().min(1),
    version_code_name: text,
    version_number: z.number().nullish().catch(null),
    is_main_version: flag,
    language_versions: listOf(language),
  })
  .transform(
    (version): ProjectVersion => ({
      projectVersionId: version.id,
      name: version.version_code_name || (version.version_number == null ? version.id : `v${version.version_number}`),
      isDefault: version.is_main_version ?? false,
      languages: version.language_versions,
    }),
  );

/** Null where the entry can't be read. */
export function decodeProjectVersion(entry: unknown): ProjectVersion | null {
  const parsed = projectVersion.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

/** The answer of `GET /v2/ProjectVersions`; null where it is no list. */
export const decodeProjectVersions = (payload: unknown): readonly ProjectVersion[] | null =>
  Array.isArray(payload) ? listOf(projectVersion).parse(payload) : null;

export const encodeProjectVersion = (version: ProjectVersion): JsonObject => ({
  id: version.projectVersionId,
  version_number: null,
  base_version_number: null,
  version_code_name: version.name,
  is_main_version: version.isDefault,
  is_beta: false,
  is_public: true,
  is_deprecated: false,
  created_at: null,
  modified_at: null,
  language_versions: version.languages.map(({ code, name, isDefault }) => ({
    id: null,
    name,
    code,
    set_as_default: isDefault,
    hidden: false,
    enable_rtl: false,
    display_name: name,
  })),
  slug: null,
  order: null,
  version_type: 0,
});

/** The same languages as `GET /v2/Language/{projectVersionId}` names them, under other member names. */
export const encodeLanguages = ({ languages }: ProjectVersion): readonly JsonObject[] =>
  languages.map(({ code, name, isDefault }) => ({
    language_id: null,
    language_code: code,
    language_name: name,
    is_set_as_default: isDefault,
    country_flag_code: null,
  }));
