import { describe, expect, it } from 'vitest';
import { HiddenTokens } from '../../../src/core/callers/hidden-tokens.ts';

const SECRET = 'hush-hush-hush';
const basic = (user: string, password: string) => Buffer.from(`${user}:${password}`).toString('base64');

const tokensOf = (...headers: readonly (readonly [string, string])[]): HiddenTokens => {
  const tokens = new HiddenTokens();
  for (const [name, value] of headers) tokens.addHeader(name, value);
  return tokens;
};

describe('the credentials of a request', () => {
  it.each([
    `Bearer ${SECRET}`,
    `bearer   ${SECRET}`,
    `Basic ${SECRET}`,
    `BASIC ${basic('somebody', SECRET)}`,
    `basic ${basic('', SECRET)}`,
    `Basic ${basic('a', 'b').padEnd(12, 'x')}, ${SECRET}`,
    `ApiKey ${SECRET}`,
    `ApiKey key="${SECRET}"`,
    `Digest username="me", uri="/graphql", response="${SECRET}", nc=00000001`,
    `AWS4-HMAC-SHA256 Credential=${SECRET}/20260101/eu/s3,SignedHeaders=host;date,Signature=${SECRET}`,
    `AWS somebody:${SECRET}`,
    `SharedKey somebody:${SECRET}`,
    `ApiKey:${SECRET}`,
    `Unheard-Of ${SECRET}`,
    `Basic abc, Bearer ${SECRET}`,
    SECRET,
    ` ${SECRET} `,
    `\t${SECRET}==`,
  ])('are hidden whatever the scheme is: %j', (value) => {
    for (const name of ['authorization', 'Authorization', 'Proxy-Authorization']) {
      const tokens = tokensOf([name, value]);
      expect([tokens.areIn(`a${SECRET}b`), tokens.mask(value).includes(SECRET)]).toEqual([true, false]);
      expect(tokens.areInPath(`/a/${encodeURIComponent(SECRET)}%20`)).toBe(true);
      for (const text of [
        '/graphql',
        '/health/live',
        'Rename',
        '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      ]) {
        expect([text, tokens.areIn(text), tokens.mask(text)]).toEqual([text, false, text]);
      }
    }
  });

  it.each(['api_token', 'X-Api-Token'])('are hidden in %s', (name) => {
    expect(tokensOf([name, SECRET]).areIn(`a${SECRET}`)).toBe(true);
  });

  it('are nowhere else', () => {
    expect(tokensOf(['host', SECRET], ['user-agent', SECRET]).areIn(SECRET)).toBe(false);
  });

  it('are the same for each request that sends the same header', () => {
    const all = Array.from({ length: 40 }, (_, index) => `secret-${index}`);
    for (const [value, isTooLong] of [
      [`Basic ${basic('somebody', SECRET)}`, false],
      [all.join(' '), true],
    ] as const) {
      for (const request of ['first', 'second']) {
        const tokens = tokensOf(['authorization', value]);
        const answers = [tokens.areIn(isTooLong ? 'secret-39' : SECRET), tokens.areIn('nothing of it')];
        expect([request, ...answers]).toEqual([request, true, isTooLong]);
      }
    }
  });

  it('hide every text where there are more than are searched for', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `secret-${index}`).join(', ');
    const tokens = tokensOf(['authorization', many]);
    expect([tokens.areIn('secret-1999'), tokens.areIn('a'), tokens.mask('secret-1999')]).toEqual([
      true,
      true,
      '[API token]',
    ]);
  });
});
