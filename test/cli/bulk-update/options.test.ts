import { describe, expect, it } from 'vitest';
import { readUpdateOptions } from '../../../src/cli/bulk-update/options.ts';
import type { CommandOptions } from '../../../src/cli/command-options.ts';

const read = (
  path: string,
  args: CommandOptions = {},
  variables: Readonly<Record<string, string>> = { KB_API_TOKEN: 't' },
) => readUpdateOptions(path, args, variables);

describe('the options of bulk-update', () => {
  it.each<[string, CommandOptions, string]>([
    ['articles.xlsx', {}, 'the FILE ends in'],
    ['articles.csv', { columns: 'A=nothing' }, 'no field "nothing"'],
    ['articles.json', { columns: 'A=title' }, 'are for CSV'],
    ['articles.json', { 'for-spreadsheet': true }, 'are for CSV'],
    ['articles.csv', { url: 'ftp://x' }, '--url'],
    ['articles.csv', { url: 'https://user:secret@x/graphql' }, 'without a user'],
    ['articles.csv', { token: 'two words' }, 'visible ASCII'],
    ['articles.csv', { key: 'é' }, '--key takes'],
    ['articles.csv', { 'only-failures': true }, 'for --preview'],
    ['articles.csv', { publish: true }, '--publish needs --user'],
    ['articles.csv', { user: 'u' }, 'are for --publish'],
    ['articles.csv', { message: 'm' }, 'are for --publish'],
  ])('are refused: %s %j', (path, args, message) => {
    expect(read(path, args)).toMatchObject({ ok: false, error: expect.stringContaining(message) });
  });

  it('need a token or a JWT', () => {
    expect(read('articles.csv', {}, {})).toMatchObject({ ok: false, error: expect.stringContaining('KB_API_TOKEN') });
    expect(read('articles.csv', {}, { KB_JWT: 'j' })).toMatchObject({
      value: { address: { credentials: { authorization: 'Bearer j' } } },
    });
  });

  it.each([
    'https://one.example',
    'https://one.example/',
    'https://one.example/graphql',
    'https://one.example/graphql/',
  ])('take the address %s', (url) => {
    expect(read('articles.csv', { url }, { KB_API_TOKEN: 't' })).toMatchObject({
      value: { address: { url: 'https://one.example/graphql' } },
    });
  });

  it('count before variables', () => {
    expect(read('a.csv', {}, { KB_API_TOKEN: 't\n', KB_JWT: 'j\r\n' })).toMatchObject({
      value: { address: { credentials: { 'x-api-token': 't', authorization: 'Bearer j' } } },
    });
    const variables = { KB_API_TOKEN: 't', KB_GATEWAY_URL: 'https://one.example/graphql' };
    expect(read('some/a.jsonl', { url: 'https://two.example/graphql', token: 'u' }, variables)).toMatchObject({
      value: {
        isPreview: false,
        format: 'ndjson',
        failedPath: 'some/a.failed.jsonl',
        address: { url: 'https://two.example/graphql', credentials: { 'x-api-token': 'u' } },
      },
    });
  });
});
