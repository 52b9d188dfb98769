import { err } from '../../core/base/result.ts';
import { encodeLanguages, encodeProjectVersion } from '../../service/v2/project-versions.ts';
import { type EnvelopeResult, type FacadeRequest, pathParam, rejection, succeedWith } from './route-handler.ts';

export async function listProjectVersions({ backend, caller }: FacadeRequest): EnvelopeResult {
  const versions = await backend.projectVersions(caller);
  return versions.ok ? succeedWith({ data: versions.value.map(encodeProjectVersion) }) : versions;
}

export async function listLanguages(request: FacadeRequest): EnvelopeResult {
  const versions = await request.backend.projectVersions(request.caller);
  if (!versions.ok) return versions;
  const requestedId = pathParam(request, 'projectVersionId');
  const version = versions.value.find(({ projectVersionId }) => projectVersionId === requestedId);
  if (!version) return err(rejection(400, 'The project version Id does not exist.'));
  return succeedWith({ data: encodeLanguages(version) });
}
