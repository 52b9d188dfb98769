import { describe, expect, it } from 'vitest';
import type { LogLevel } from '../../../src/core/base/log.ts';
import { createLogger, formatPrettyLine } from '../../../src/core/base/logger.ts';

function capture(level: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, write: (line) => lines.push(line) }) };
}

function written(fields: Record<string, unknown>, level: LogLevel = 'info'): Record<string, unknown> {
  const { lines, log } = capture(level);
  log('error', 'message', fields);
  expect(lines).toHaveLength(1);
  const { time: _, level: __, message: ___, ...rest } = JSON.parse(lines[0] ?? '');
  return rest;
}

describe('the log', () => {
  it('writes one JSON line with time, level, message and the fields', () => {
    const { lines, log } = capture();
    log('info', 'listening', { port: 4000 });
    expect(lines[0]).toMatch(/^\{.*\}\n$/u);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
      level: 'info',
      message: 'listening',
      port: 4000,
    });
  });

  it('leaves out lines below its level', () => {
    const { lines, log } = capture('warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['warn', 'error']);
  });

  it.each(['api_token', 'apiToken', 'X-Api-Token', 'Authorization', 'password', 'set-cookie', 'API_KEY'])(
    'redacts a field named %s, at any depth',
    (name) => {
      const { lines, log } = capture();
      log('info', 'message', { [name]: 'hush', request: { headers: [{ [name]: ['hush'] }] } });
      expect(lines[0]).not.toContain('hush');
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ [name]: '[redacted]' });
    },
  );

  it('writes name, message, code and cause of an error, without its other properties', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('why') }), {
      code: 'E1',
      options: { body: 'x' },
    });
    expect(written({ error })).toEqual({
      error: { name: 'TypeError', message: 'no', code: 'E1', cause: { name: 'Error', message: 'why' } },
    });
  });

  it('adds the stack only at level debug', () => {
    expect(written({ error: new Error('no') }, 'debug')).toEqual({
      error: { name: 'Error', message: 'no', stack: expect.stringContaining('logger.test.ts') },
    });
  });

  it('does not let fields replace its own', () => {
    const { lines, log } = capture();
    log('info', 'true', { level: 'error', message: 'false', time: 0 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', message: 'true' });
  });

  it('writes values that JSON cannot represent', () => {
    const values = { big: 12n, symbol: Symbol('s'), call: () => 1, when: new Date(0), never: new Date(Number.NaN) };
    expect(written(values)).toEqual({
      big: '12',
      symbol: 'Symbol(s)',
      call: '[function]',
      when: '1970-01-01T00:00:00.000Z',
      never: null,
    });
  });

  it('cuts circles, long texts and wide lists', () => {
    const circle: Record<string, unknown> = {};
    circle['selves'] = Array.from({ length: 100 }, () => circle);
    const fields = written({ circle, text: 'x'.repeat(1e6), list: Array.from({ length: 1e5 }, () => 1) });
    expect(JSON.stringify(fields).length).toBeLessThan(20_000);
    expect(JSON.stringify(fields)).toContain('[deeper]');
  });

  it('keeps a line short for any amount of data, including names', () => {
    const { lines, log } = capture();
    const long = 'x'.repeat(1e6);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n}${long.slice(0, 1_000)}`, long]));
    log('error', long, { many, list: Array.from({ length: 1_000 }, () => long), [long]: 'hush' });
    expect(lines[0]?.length).toBeLessThan(32_000);
    expect(lines[0]).not.toContain('hush');
  });

  it('writes small fields as it writes others', () => {
    const fields = { text: 'é"\n', ms: 1.5, none: null, left: undefined, never: Number.NaN, list: ['a'] };
    const { left: _, ...expected } = { ...fields, never: null };
    expect(written(fields)).toEqual(expected);
    expect(written({ ...fields, when: new Date(0) })).toEqual({ ...expected, when: '1970-01-01T00:00:00.000Z' });
    expect(written({ list: ['a', 1n, { token: 'hush' }] })).toEqual({ list: ['a', '1', { token: '[redacted]' }] });
    expect(written({ ['x'.repeat(201)]: 'hush' })).toEqual({ [`${'x'.repeat(200)}…`]: '[redacted]' });
  });

  it('writes its own copy of fields that say how they are written', () => {
    class Fields {
      [name: string]: unknown;
      readonly count = 1;
      toJSON(): unknown {
        return { token: 'hush' };
      }
    }
    expect(written(new Fields())).toEqual({ count: 1 });
    expect(written({ toJSON: () => ({ token: 'hush' }) })).toEqual({ toJSON: '[function]' });
    expect(written({ list: Object.assign(['a'], { toJSON: () => ({ token: 'hush' }) }) })).toEqual({ list: ['a'] });
  });

  it('does not throw for a value that throws when it is read', () => {
    const trap = {
      get inside() {
        throw new Error('trap');
      },
    };
    expect(written({ trap })).toEqual({ fields: '[unreadable]' });
    expect(written(trap)).toEqual({ fields: '[unreadable]' });
  });
});

describe('a pretty line', () => {
  const pretty = (message: string, fields: Record<string, unknown> = {}) => {
    const lines: string[] = [];
    createLogger({ level: 'info', formatLine: formatPrettyLine, write: (line) => lines.push(line) })(
      'warn',
      message,
      fields,
    );
    return lines.join('').replace(/^[\d:.]{12} /u, '');
  };

  it('has the time of day, the level, the message and the fields', () => {
    const fields = {
      method: 'POST',
      path: '/graphql',
      ms: 1.5,
      name: null,
      left: undefined,
      list: ['a b'],
      api_token: 'x',
    };
    expect(pretty('request', fields)).toBe(
      'WARN  request method=POST path=/graphql ms=1.5 name=null list=["a b"] api_token="[redacted]"\n',
    );
  });

  it.each(['\n', '\r', '\u001b[2J', '\u009b2J', '\u007f', '\u2028', '\u202e', '\u200b', '\ufeff', '\ud800', '\u0000'])(
    'shows %j, whoever sent it, as an escape',
    (text) => {
      const line = pretty(`a${text}b`, { value: `a${text}b`, [`a${text}b`]: 1, list: [{ [`a${text}`]: text }] });
      expect(line).toMatch(/^WARN {2}[^\p{C}\p{Zl}\p{Zp}]+\n$/u);
    },
  );

  it('shows letters of all scripts as they are', () => {
    expect(pretty('größer', { value: '日本 語' })).toBe('WARN  größer value="日本 語"\n');
  });
});
