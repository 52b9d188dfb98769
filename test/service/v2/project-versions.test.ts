import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import {
  decodeProjectVersion,
  encodeLanguages,
  encodeProjectVersion,
} from '../../../src/service/v2/project-versions.ts';
import { overTheWire } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const VERSIONS = [
  {
    projectVersionId: 'a51f0f5d-9b0a-4c7e-9d0e-6a4f3f2b7001',
    name: 'v1',
    isDefault: true,
    languages: [
      { code: 'en', name: 'English', isDefault: true },
      { code: 'fr', name: 'French', isDefault: false },
    ],
  },
  { projectVersionId: 'a51f0f5d-9b0a-4c7e-9d0e-6a4f3f2b7002', name: 'v2', isDefault: false, languages: [] },
];

describe('decodeProjectVersion', () => {
  it('reads the entries of the published list; a version without a name is named by its number', () => {
    expect([payloadOf(fixture('project-versions').body)].flat().map(decodeProjectVersion)).toEqual(VERSIONS);
  });

  it('undoes encodeProjectVersion', () => {
    for (const version of VERSIONS)
      expect(decodeProjectVersion(overTheWire(encodeProjectVersion(version, 0)))).toEqual(version);
  });

  it('does not read an entry without an ID', () => {
    expect(decodeProjectVersion({})).toBeNull();
  });
});

describe('encodeLanguages', () => {
  it('names the same languages by other members', () => {
    expect(VERSIONS.flatMap(encodeLanguages)).toMatchObject([
      { language_code: 'en', language_name: 'English', is_set_as_default: true },
      { language_code: 'fr', language_name: 'French', is_set_as_default: false },
    ]);
  });
});
