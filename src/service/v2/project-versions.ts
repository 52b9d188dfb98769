import type { Language, ProjectVersion } from '../../core/articles/articles.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { booleanIn, entriesIn, idIn, NO_TIME, objectOf, textIn } from './fields.ts';

function decodeLanguage(given: unknown): Language | null {
  const entry = objectOf(given);
  const code = idIn(entry, 'code');
  if (code === null) return null;
  return {
    code,
    name: textIn(entry, 'name') || textIn(entry, 'display_name') || code,
    isDefault: booleanIn(entry, 'set_as_default') ?? false,
  };
}

/** Decodes an entry; null where it can't be read. */
export function decodeProjectVersion(given: unknown): ProjectVersion | null {
  const entry = objectOf(given);
  const projectVersionId = idIn(entry, 'id');
  if (projectVersionId === null) return null;
  const number = entry['version_number'];
  return {
    projectVersionId,
    name: textIn(entry, 'version_code_name') || (Number.isFinite(number) ? `v${number}` : projectVersionId),
    isDefault: booleanIn(entry, 'is_main_version') ?? false,
    languages: entriesIn(entry, 'language_versions', decodeLanguage),
  };
}

/** Encodes a project version with its languages. Its number is its position in the list. */
export const encodeProjectVersion = (version: ProjectVersion, index: number): JsonObject => ({
  id: version.projectVersionId,
  version_number: index + 1,
  base_version_number: 0,
  version_code_name: version.name,
  is_main_version: version.isDefault,
  is_beta: false,
  is_public: true,
  is_deprecated: false,
  created_at: NO_TIME,
  modified_at: NO_TIME,
  language_versions: version.languages.map(({ code, name, isDefault }) => ({
    id: null,
    name,
    code,
    set_as_default: isDefault,
    hidden: false,
    enable_rtl: false,
    site_protection_level: 0,
    is_inheritance_disabled: false,
    has_inheritance_disabled_categories_or_articles: false,
    country_flag_code: null,
    display_name: name,
    is_home_page_enabled: false,
    version_display_name: null,
  })),
  slug: null,
  order: index,
  version_type: 0,
});

/** Encodes the response of `GET /v2/Language/{projectVersionId}`, whose members have other names. */
export const encodeLanguages = ({ languages }: ProjectVersion): readonly JsonObject[] =>
  languages.map(({ code, name, isDefault }) => ({
    language_id: null,
    language_code: code,
    language_name: name,
    is_set_as_default: isDefault,
    country_flag_code: null,
  }));
