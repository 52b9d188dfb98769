import { describe, expect, it } from 'vitest';
import { createQuery, flagOf, INT32_MAX, numberOf, pageOf, textOf } from '../../src/facade/query-params.ts';

const query = (search: string) => createQuery(new URLSearchParams(search));

describe('createQuery', () => {
  it('ignores the case of a name, keeps the first of repeats, and takes no value for absent', () => {
    expect(textOf(query('LANGCODE=fr&langCode=en'), 'langCode')).toBe('fr');
    expect(textOf(query('langCode='), 'langCode')).toBeUndefined();
  });
});

describe('flagOf', () => {
  it.each([
    ['', false],
    ['f=true', true],
    ['f=False', false],
  ])('reads %j', (search, value) => {
    expect(flagOf(query(search), 'f')).toEqual({ ok: true, value });
  });

  it('names a parameter that is no flag', () => {
    expect(flagOf(query('f=1'), 'f')).toMatchObject({ error: { message: 'f must be true or false.' } });
  });
});

describe('numberOf', () => {
  const range = { least: 0, most: 100, absent: 7 };

  it.each([
    ['', 7],
    ['n=0', 0],
    ['n=100', 100],
    ['n=007', 7],
  ])('reads %j', (search, value) => {
    expect(numberOf(query(search), 'n', range)).toEqual({ ok: true, value });
  });

  it.each(['-1', '101', '1.5', '1e1', '0x1', 'many', ' 1', '99999999999999999999'])('refuses %s', (value) => {
    expect(numberOf(query(`n=${value}`), 'n', range)).toMatchObject({
      error: { kind: 'rejected', httpStatus: 400, message: 'n must be a whole number from 0 to 100.' },
    });
  });
});

describe('pageOf', () => {
  it.each([
    ['', 0],
    ['offSet=1', 0],
    ['offset=3', 2],
    [`offSet=${INT32_MAX}`, INT32_MAX - 1],
  ])('counts the pages of %j from 0', (search, page) => {
    expect(pageOf(query(search))).toEqual({ ok: true, value: page });
  });

  it.each(['0', '-1', 'x', `${INT32_MAX + 1}`])('refuses page %s', (page) => {
    expect(pageOf(query(`offSet=${page}`))).toMatchObject({
      error: { message: 'offSet must be a whole number of 1 or more.' },
    });
  });
});
