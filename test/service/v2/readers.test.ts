import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import { decodeReaderEntry, encodeReaderEntry, type ReaderEntry } from '../../../src/service/v2/readers.ts';
import { id, overTheWire, soundText } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const text = fc.option(soundText);

const entry: fc.Arbitrary<ReaderEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('reader'),
    reader: fc.record({ readerId: id, firstName: text, lastName: text, email: text, groupIds: fc.array(id) }),
  }),
  fc.record({ kind: fc.constant('invited'), user: fc.record({ invitationId: id, email: text }) }),
);

describe('decodeReaderEntry', () => {
  it('undoes encodeReaderEntry', () => {
    fc.assert(
      fc.property(entry, (written) => {
        expect(decodeReaderEntry(overTheWire(encodeReaderEntry(written)))).toEqual(written);
      }),
    );
  });

  it('distinguishes readers from invited users', () => {
    expect([payloadOf(fixture('readers').body)].flat().map(decodeReaderEntry)).toEqual([
      {
        kind: 'reader',
        reader: {
          readerId: 'd1a2b3c4-0000-4a00-8b00-00000000a001',
          firstName: 'Ada',
          lastName: null,
          email: 'ada@example.com',
          groupIds: ['c3f0a7a4-55a2-4f0c-8f5e-0d4b2c1e9001'],
        },
      },
      {
        kind: 'invited',
        user: { invitationId: 'd1a2b3c4-0000-4a00-8b00-00000000b001', email: 'new@example.com' },
      },
    ]);
  });

  it('reads the bare object that the documentation shows for the list', () => {
    expect(decodeReaderEntry(payloadOf(fixture('readers-bare-object').body))).toMatchObject({
      kind: 'reader',
      reader: { email: 'ada@example.com' },
    });
  });

  it('has no groups of a reader that leaves them out', () => {
    expect(decodeReaderEntry({ reader_id: 'r' })).toMatchObject({ reader: { groupIds: [] } });
  });

  it.each([{}, { reader_id: null }])('does not read %j', (payload) => {
    expect(decodeReaderEntry(payload)).toBeNull();
  });
});
