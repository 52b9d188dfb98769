import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Facade, openFacade, refusal } from './harness.ts';

describe('project versions and languages', () => {
  let facade: Facade;
  beforeAll(async () => {
    facade = await openFacade();
  });
  afterAll(() => facade.close());

  it('lists the project versions with their languages', async () => {
    const { status, body } = await facade.get('/v2/ProjectVersions');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [
        {
          id: 'pv1',
          version_code_name: 'v1',
          is_main_version: true,
          language_versions: expect.arrayContaining([
            expect.objectContaining({ code: 'en', name: 'English', set_as_default: true }),
            expect.objectContaining({ code: 'de', name: 'German', set_as_default: false }),
          ]),
        },
        { id: 'pv2', is_main_version: false, language_versions: [{ code: 'fr', set_as_default: true }] },
      ],
      success: true,
    });
  });

  it('lists the languages of one version under the names of that endpoint', async () => {
    expect(await facade.get('/v2/Language/pv2')).toMatchObject({
      status: 200,
      body: {
        data: [{ language_code: 'fr', language_name: 'French', is_set_as_default: true }],
        success: true,
      },
    });
  });

  it('sends 400 for an unknown project version', async () => {
    expect(await facade.get('/v2/Language/none')).toMatchObject({
      status: 400,
      body: refusal('The project version Id does not exist.'),
    });
  });
});
