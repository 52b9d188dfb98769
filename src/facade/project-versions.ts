import { mapOk } from '../base/result.ts';
import { encodeProjectVersion } from '../v2/project-versions.ts';
import type { EnvelopeResult, FacadeRequest } from './route-handler.ts';

export const listProjectVersions = async ({ backend, caller }: FacadeRequest): EnvelopeResult =>
  mapOk(await backend.projectVersions(caller), (versions) => ({
    payload: { data: versions.map(encodeProjectVersion) },
    success: true,
  }));
