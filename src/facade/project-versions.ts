import { err } from '../domain/result.ts';
import { encodeLanguages, encodeProjectVersion } from '../v2/project-versions.ts';
import { answered, type Call, type Handled, param, refused } from './route-handler.ts';

export async function listProjectVersions({ backend, caller }: Call): Handled {
  const versions = await backend.projectVersions(caller);
  return versions.ok ? answered({ data: versions.value.map(encodeProjectVersion) }) : versions;
}

export async function listLanguages(call: Call): Handled {
  const versions = await call.backend.projectVersions(call.caller);
  if (!versions.ok) return versions;
  const asked = param(call, 'projectVersionId');
  const version = versions.value.find(({ projectVersionId }) => projectVersionId === asked);
  if (!version) return err(refused(400, 'The project version Id does not exist.'));
  return answered({ data: encodeLanguages(version) });
}
