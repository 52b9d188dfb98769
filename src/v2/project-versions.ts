import { z } from 'zod';
import type { ProjectVersion } from '../domain/articles/project-versions.ts';
import type { JsonObject } from '../domain/json/json-objects.ts';
import { lenientBoolean, lenientList, lenientText } from './fields.ts';

const languageVersion = z
  .object({ code: z.string().min(1), name: lenientText, display_name: lenientText, set_as_default: lenientBoolean })
  .transform((entry) => ({
    code: entry.code,
    name: entry.name || entry.display_name || entry.code,
    isDefault: entry.set_as_default ?? false,
  }));

const projectVersion = z
  .object({
    id: z.string().min(1),
    version_code_name: lenientText,
    version_number: z.number().nullish().catch(null),
    is_main_version: lenientBoolean,
    language_versions: lenientList(languageVersion),
  })
  .transform(
    (version): ProjectVersion => ({
      projectVersionId: version.id,
      name: version.version_code_name || (version.version_number == null ? version.id : `v${version.version_number}`),
      isDefault: version.is_main_version ?? false,
      languages: version.language_versions,
    }),
  );

/** Null for an entry that cannot be read. */
export function decodeProjectVersion(entry: unknown): ProjectVersion | null {
  const parsed = projectVersion.safeParse(entry);
  return parsed.success ? parsed.data : null;
}

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

/** The response of `GET /v2/Language/{projectVersionId}`, whose members have other names. */
export const encodeLanguages = ({ languages }: ProjectVersion): readonly JsonObject[] =>
  languages.map(({ code, name, isDefault }) => ({
    language_id: null,
    language_code: code,
    language_name: name,
    is_set_as_default: isDefault,
    country_flag_code: null,
  }));
