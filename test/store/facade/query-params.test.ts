import { describe, expect, it } from 'vitest';
import {
  createQueryParams,
  INT32_MAX,
  queryFlag,
  queryNumber,
  queryPage,
  queryText,
} from '../../../src/store/facade/route-handler.ts';

const query = (search: string) => createQueryParams(new URLSearchParams(search));

describe('createQueryParams', () => {
  it('ignores the case of a name, keeps the first value, and reads an empty value as absent', () => {
    expect(queryText(query('LANGCODE=fr&langCode=en'), 'langCode')).toBe('fr');
    expect(queryText(query('langCode='), 'langCode')).toBeUndefined();
  });
});

describe('queryFlag', () => {
  it.each([
    ['', false],
    ['f=true', true],
    ['f=False', false],
  ])('reads %j', (search, value) => {
    expect(queryFlag(query(search), 'f')).toEqual({ ok: true, value });
  });

  it('names an invalid flag', () => {
    expect(queryFlag(query('f=1'), 'f')).toMatchObject({ error: { message: 'f must be true or false.' } });
  });
});

describe('queryNumber', () => {
  const range = { min: 0, max: 100, defaultValue: 7 };

  it.each([
    ['', 7],
    ['n=0', 0],
    ['n=100', 100],
    ['n=007', 7],
  ])('reads %j', (search, value) => {
    expect(queryNumber(query(search), 'n', range)).toEqual({ ok: true, value });
  });

  it.each(['-1', '101', '1.5', '1e1', '0x1', 'many', ' 1', '99999999999999999999'])('refuses %s', (value) => {
    expect(queryNumber(query(`n=${value}`), 'n', range)).toMatchObject({
      error: { kind: 'rejected', httpStatus: 400, message: 'n must be a whole number from 0 to 100.' },
    });
  });
});

describe('queryPage', () => {
  it.each([
    ['', 0],
    ['offSet=1', 0],
    ['offset=3', 2],
    [`offSet=${INT32_MAX}`, INT32_MAX - 1],
  ])('counts the pages of %j from 0', (search, page) => {
    expect(queryPage(query(search))).toEqual({ ok: true, value: page });
  });

  it.each(['0', '-1', 'x', `${INT32_MAX + 1}`])('refuses page %s', (page) => {
    expect(queryPage(query(`offSet=${page}`))).toMatchObject({
      error: { message: 'offSet must be a whole number of 1 or more.' },
    });
  });
});
