import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeEnvelope,
  type EmptyListEncoding,
  type EnvelopeContent,
  encodeEnvelope,
  payloadOf,
  reportsSuccess,
} from '../../../src/service/v2/envelope.ts';
import { overTheWire, serviceError, warning } from '../../support/arbitraries.ts';
import { fixture, textOf } from '../../support/fixtures.ts';

const decoded = (name: string) => {
  const envelope = decodeEnvelope(fixture(name).body);
  if (envelope === null) throw new Error(`${name} is no envelope.`);
  return envelope;
};

describe('decodeEnvelope', () => {
  it('undoes encodeEnvelope', () => {
    const contents = fc.record({
      payload: fc.oneof(fc.record({ data: fc.array(fc.string()) }), fc.record({ result: fc.boolean() })),
      success: fc.boolean(),
      errors: fc.array(serviceError),
      warnings: fc.array(warning),
      information: fc.array(warning.map((entry) => ({ ...entry, code: null }))),
    });
    fc.assert(
      fc.property(contents, fc.constantFrom<EmptyListEncoding>('empty', 'null'), (content, lists) => {
        const { payload, ...rest } = content;
        expect(decodeEnvelope(overTheWire(encodeEnvelope(content, lists)))).toEqual({
          ...rest,
          payload: 'data' in payload ? payload.data : payload.result,
          extensionData: null,
        });
      }),
    );
  });

  it('reads any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        decodeEnvelope(body);
        payloadOf(body);
      }),
    );
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text, as an HTML page arrives', '<html>Bad gateway</html>'],
    ['a list', []],
    ['an object that says nothing', {}],
    ['a problem of the framework, whose errors are no list', { title: 'Bad', status: 400, errors: { title: ['x'] } }],
    ['a success that is no flag', { success: 'yes', data: [] }],
  ])('concludes nothing from %s', (_, body) => {
    expect(decodeEnvelope(body)).toBeNull();
  });

  it('reads a success whose lists are null or []', () => {
    for (const name of ['bulk-update-success', 'reader-group-update-success']) {
      expect(decoded(name)).toMatchObject({ errors: [], warnings: [], information: [], extensionData: null });
      expect(reportsSuccess(decoded(name))).toBe(true);
    }
  });

  it('keeps result unchanged, and does not let it decide', () => {
    expect(decoded('reader-group-update-success').payload).toBe(false);
  });

  it('lets errors decide where the flag contradicts them', () => {
    expect(decoded('refused-with-success-true').success).toBe(true);
    expect(reportsSuccess(decoded('refused-with-success-true'))).toBe(false);
    expect(reportsSuccess(decoded('bulk-update-items-without-success'))).toBe(false);
  });

  it('keeps all of an error but its stack trace', () => {
    const { errors } = decoded('refused-with-success-true');
    expect(errors).toEqual([
      { description: 'Something is wrong.', errorCode: '', customData: { field: 'x' }, extensionData: null },
    ]);
    expect(JSON.stringify(errors)).not.toContain('Service.cs');
  });

  it('keeps warnings with their code and information', () => {
    expect(decoded('bulk-update-deprecated-member')).toMatchObject({
      warnings: [{ description: 'html_content is deprecated.', code: 'deprecated' }],
      information: [{ description: 'Noted.', extensionData: { seen: 1 } }],
    });
  });

  it('reads an error that is only a text', () => {
    expect(decodeEnvelope({ success: false, errors: ['No.', null] })?.errors.map((e) => e.description)).toEqual([
      'No.',
      null,
    ]);
  });

  it('ignores a member called __proto__', () => {
    const body = JSON.parse(
      '{"success":true,"data":[],"__proto__":{"polluted":1},"extension_data":{"__proto__":{"x":1}}}',
    );
    decodeEnvelope(body);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(Object.prototype).not.toHaveProperty('x');
  });
});

describe('encodeEnvelope', () => {
  const done: EnvelopeContent = { payload: { result: false }, success: true };
  const rejected: EnvelopeContent = {
    success: false,
    errors: [{ description: 'The Title field is required.', errorCode: null, customData: null, extensionData: null }],
  };

  it.each([
    ['reader-group-update-success', done, 'null'],
    ['reader-group-update-title-missing', rejected, 'null'],
  ] as const)('writes %s byte for byte', (name, content, lists) => {
    expect(JSON.stringify(encodeEnvelope(content, lists))).toBe(textOf(fixture(name)));
  });

  it('omits data and result where there is neither', () => {
    expect(Object.keys(encodeEnvelope(rejected, 'empty'))).toEqual([
      'extension_data',
      'success',
      'errors',
      'warnings',
      'information',
    ]);
  });
});

describe('payloadOf', () => {
  it.each([
    ['data', { data: [1], success: true }, [1]],
    ['result', { result: [1], success: true }, [1]],
    ['a bare list', [1], [1]],
    ['a bare object', { reader_id: 'r' }, { reader_id: 'r' }],
  ])('finds the payload of %s', (_, body, payload) => {
    expect(payloadOf(body)).toEqual(payload);
  });

  it('finds nothing in an envelope without a payload', () => {
    expect(payloadOf({ success: true, errors: null })).toBeUndefined();
  });
});
