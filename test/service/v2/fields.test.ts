import { describe, expect, it } from 'vitest';
import { entriesIn, idIn, lenientTime, objectOf } from '../../../src/service/v2/fields.ts';

describe('time', () => {
  it.each([
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09.1234567', '2024-05-06T07:08:09.123Z'],
    ['2024-05-06T07:08:09.5+05:30', '2024-05-06T01:38:09.500Z'],
    ['2024-05-06T07:08:09-0800', '2024-05-06T15:08:09.000Z'],
    ['2024-05-06T07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06 07:08:09', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
  ])('reads %s as %s: without a zone it is UTC', (text, expected) => {
    expect(lenientTime(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '0001-01-01T00:00:00',
    '0001-01-01T00:00:00Z',
    '',
    'yesterday',
    'May 1',
    '2024',
    '2024-13-45T00:00:00',
    '2024-05-06T99:00:00',
    1_714_979_289,
    {},
    null,
    undefined,
  ])('reads %j as no time', (value) => {
    expect(lenientTime(value)).toBeNull();
  });
});

describe('a list in an entry', () => {
  const idsIn = (list: unknown) => entriesIn({ list }, 'list', (entry) => idIn(objectOf(entry), 'id'));

  it('may be the only entry itself', () => {
    expect(idsIn({ id: 'a' })).toEqual(['a']);
  });

  it.each([{}, { message: 'No.' }, { id: null }, { id: '' }, 'a', 1])('can not be read where it is %j', (list) => {
    expect(() => idsIn(list)).toThrow('list');
  });
});
