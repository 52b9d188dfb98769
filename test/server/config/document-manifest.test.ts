import { describe, expect, it } from 'vitest';
import { decodeDocumentManifest } from '../../../src/server/config/document-manifest.ts';

const decode = (value: unknown) => decodeDocumentManifest(typeof value === 'string' ? value : JSON.stringify(value));

function problems(value: unknown): readonly string[] {
  const manifest = decode(value);
  return manifest.ok ? [] : manifest.error;
}

const operation = { id: 'a1', name: 'A', type: 'query', body: 'query A { a }' };
const apollo = (...operations: readonly unknown[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
});

describe('a manifest of documents', () => {
  it('is a map of IDs to texts, as of GraphQL Code Generator and of Relay', () => {
    const map = { 'sha256:1f': 'query A { a }', d41d8cd98f00b204e9800998ecf8427e: 'query B { b }' };
    expect(decode(map)).toEqual({ ok: true, value: new Map(Object.entries(map)) });
  });

  it('is a manifest of Apollo', () => {
    const other = { id: 'b2', name: 'B', type: 'mutation', body: 'mutation B { b }' };
    expect(decode(apollo(operation, other))).toEqual({
      ok: true,
      value: new Map([
        ['a1', operation.body],
        ['b2', other.body],
      ]),
    });
  });

  it('has all of its problems in one answer, each with its ID', () => {
    expect(
      problems({ a: 1, 'no blanks': 'query A { a }', b: 'query B { b }', '': 'x', ['x'.repeat(257)]: 'x' }),
    ).toEqual([
      'a: must be the text of a document',
      'no blanks: the ID must be 1 to 256 visible ASCII characters',
      '"": the ID must be 1 to 256 visible ASCII characters',
      `${'x'.repeat(100)}…: the ID must be 1 to 256 visible ASCII characters`,
    ]);
    expect(problems(apollo(operation, { ...operation, body: 'query C { c }' }))).toEqual(['a1: occurs more than once']);
    expect(problems({ ...apollo({ id: 1 }), version: 2 })).toEqual([
      'version: must be 1',
      'operations.0.id: Invalid input: expected string, received number',
      'operations.0.body: Invalid input: expected string, received undefined',
    ]);
  });

  it.each([
    ['{', ['is not JSON']],
    [[operation], ['must be an object: a map of IDs to documents, or a manifest of Apollo']],
    [{}, ['has no documents']],
    [
      Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [index, 'query A { a }'])),
      ['has 2001 documents, of which 2000 are allowed'],
    ],
  ])('is no other file: case %#', (value, expected) => {
    expect(problems(value)).toEqual(expected);
  });
});
