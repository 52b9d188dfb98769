import type { ProjectVersion } from '../../../domain/articles/project-versions.ts';
import { ok } from '../../../domain/result.ts';
import { decodeProjectVersion } from '../../../v2/project-versions.ts';
import { decodedList, offered } from './read-response.ts';
import { createMemo, type Found, type ReadSession } from './request-cache.ts';

/** A text is always asked for in one language of one project version. */
export interface Edition {
  readonly projectVersionId: string;
  readonly languageCode: string;
}

export interface ProjectVersionReads {
  list(session: ReadSession): Found<readonly ProjectVersion[]>;
  /** Fills in the defaults, at no call where nothing is left to fill in; null where they do not exist. */
  editionOf(session: ReadSession, asked: Partial<Record<keyof Edition, string | undefined>>): Found<Edition | null>;
}

export function createProjectVersionReads(): ProjectVersionReads {
  const memo = createMemo<readonly ProjectVersion[]>();

  const list: ProjectVersionReads['list'] = (session) =>
    memo(session, '', async () => {
      const payload = offered(await session.get(['ProjectVersions']));
      const versions = await decodedList(payload, decodeProjectVersion);
      return versions.ok ? ok(versions.value.filter((version) => version !== null)) : versions;
    });

  return {
    list,
    async editionOf(session, { projectVersionId, languageCode }) {
      if (projectVersionId !== undefined && languageCode !== undefined) return ok({ projectVersionId, languageCode });
      const versions = await list(session);
      if (!versions.ok) return versions;
      const version =
        projectVersionId === undefined
          ? defaultOf(versions.value)
          : versions.value.find((one) => one.projectVersionId === projectVersionId);
      const language = languageCode ?? defaultOf(version?.languages ?? [])?.code;
      if (version === undefined || language === undefined) return ok(null);
      return ok({ projectVersionId: version.projectVersionId, languageCode: language });
    },
  };
}

/** The first stands in where the service marks none. */
export const defaultOf = <T extends { readonly isDefault: boolean }>(items: readonly T[]): T | undefined =>
  items.find(({ isDefault }) => isDefault) ?? items[0];
