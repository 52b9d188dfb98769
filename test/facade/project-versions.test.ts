import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Facade, openFacade } from './harness.ts';

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
});
