import { describe, expect, it } from 'vitest';
import { parseBulkUpdateOptions } from '../../../src/cli/bulk-update/options.ts';

const parse = (args: readonly string[], variables: Readonly<Record<string, string>> = { KB_API_TOKEN: 't' }) =>
  parseBulkUpdateOptions([...args], variables);

describe('the options of bulk-update', () => {
  it.each([
    [['articles.csv', '--nope'], "Unknown option '--nope'"],
    [[], 'takes one FILE'],
    [['articles.xlsx'], 'the FILE ends in'],
    [['-'], '--format'],
    [['articles.csv', '--format', 'constructor'], '--format is csv, json or ndjson'],
    [['articles.csv', '--columns', 'A=nothing'], 'no field "nothing"'],
    [['articles.json', '--columns', 'A=title'], '--columns is for CSV'],
    [['articles.csv', '--preview', '--resume'], '--preview writes nothing'],
    [['articles.csv', '--url', 'ftp://x'], '--url'],
    [['articles.csv', '--url', 'https://user:secret@x/graphql'], 'without a user'],
    [['articles.csv', '--token', 'two words'], 'visible ASCII'],
    [['articles.csv', '--key', 'é'], '--key takes'],
    [['--cancel', 'job', 'articles.csv'], 'neither a FILE nor other options'],
  ])('are refused: %j', (args, message) => {
    expect(parse(args)).toMatchObject({ ok: false, error: expect.stringContaining(message) });
  });

  it('need a token or a JWT', () => {
    expect(parse(['articles.csv'], {})).toMatchObject({ ok: false, error: expect.stringContaining('KB_API_TOKEN') });
    expect(parse(['articles.csv'], { KB_JWT: 'j' })).toMatchObject({
      value: { address: { credentials: { authorization: 'Bearer j' } } },
    });
  });

  it('count before variables', () => {
    const variables = { KB_API_TOKEN: 't', KB_GATEWAY_URL: 'https://one.example/graphql' };
    expect(parse(['a.jsonl', '--url', 'https://two.example/graphql', '--token', 'u'], variables)).toMatchObject({
      value: {
        kind: 'run',
        format: 'ndjson',
        failedPath: 'a.failed.jsonl',
        address: { url: 'https://two.example/graphql', credentials: { 'x-api-token': 'u' } },
      },
    });
  });

  it('give help without a token', () => {
    expect(parse(['--help'], {})).toEqual({ ok: true, value: { kind: 'help' } });
  });
});
