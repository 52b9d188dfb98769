import { beforeAll, describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';
import {
  type AccessScopeInput,
  ReadScopeDocument,
  type ReadScopeQuery,
  WriteScopeDocument,
} from '../support/generated/operations.ts';

type ReadScope = NonNullable<ReadScopeQuery['readerGroup']>['accessScope'];

/**
 * A scope that was read is an input when its `__typename` is left out. That this compiles is the first part of the test:
 * both types are generated from the schema.
 */
const inputOf = ({
  __typename,
  ...scope
}: Exclude<ReadScope, { __typename: 'UnrecognizedAccessScope' }>): AccessScopeInput => scope;

const CATEGORY = { projectVersionId: 'pv1', categoryId: 'c1', languageCode: 'en' };

const SCOPES: readonly (readonly [rawLevel: number, input: AccessScopeInput])[] = [
  [0, { level: 'NONE' }],
  [1, { categories: [{ ...CATEGORY, languageCode: 'de' }, CATEGORY] }],
  [2, { projectVersionIds: ['pv2', 'pv1'] }],
  [3, { level: 'PROJECT' }],
  [4, { languages: [{ projectVersionId: 'pv2', languageCode: 'fr' }] }],
  [5, { level: 'ARTICLE' }],
  [6, { level: 'LEVEL_6' }],
];

export function describeAccessScopes(send: Send): void {
  const GROUP = 'query { readerGroup(groupId: "g3") { title description readerIds accessScope { level rawLevel } } }';
  const group = async () => (await send(GROUP)).body.data?.['readerGroup'];

  async function readScope(): Promise<ReadScope> {
    const { body } = await send(`${ReadScopeDocument}`, { groupId: 'g3' });
    return Object(body.data?.['readerGroup']).accessScope;
  }

  async function writeScope(accessScope: AccessScopeInput): Promise<void> {
    const { body } = await send(`${WriteScopeDocument}`, { groupId: 'g3', accessScope });
    expect(body).toEqual({ data: { updateReaderGroup: { __typename: 'UpdateReaderGroupPayload' } } });
  }

  describe.each(SCOPES)('an access scope of level %i', (rawLevel, input) => {
    beforeAll(() => writeScope(input));

    it('is read as it is written', async () => {
      expect(await readScope()).toEqual({ __typename: expect.any(String), ...input });
      expect(await group()).toMatchObject({ accessScope: { rawLevel } });
    });

    it('can be written as it is read, which changes nothing', async () => {
      const [before, scope] = [await group(), await readScope()];
      if (scope.__typename === 'UnrecognizedAccessScope') throw new Error('The level is not recognized.');
      await writeScope(inputOf(scope));
      expect(await group()).toEqual(before);
      expect(await readScope()).toEqual(scope);
    });

    it('is kept where it is left out, also by a change of members', async () => {
      const scope = await readScope();
      const update = 'updateReaderGroup(input: { groupId: "g3", description: "Kept" }) { __typename }';
      const change = (list: string) =>
        `changeReaderGroupMembers(input: { groupId: "g3", ${list}: ["r6"] }) { __typename }`;
      const { body } = await send(`mutation { update: ${update} add: ${change('addReaderIds')} }`);
      expect(body.data).toEqual({
        update: { __typename: 'UpdateReaderGroupPayload' },
        add: { __typename: 'ChangeReaderGroupMembersPayload' },
      });
      await send(`mutation { ${change('removeReaderIds')} }`);
      expect(await readScope()).toEqual(scope);
    });

    it('is shown by a preview as unchanged where it is stated again', async () => {
      const query = `mutation ($input: UpdateReaderGroupInput!) {
        previewUpdateReaderGroup(input: $input) { ... on UpdateReaderGroupPreview { changesAccessScope wouldSucceed } }
      }`;
      const { body } = await send(query, { input: { groupId: 'g3', accessScope: input } });
      expect(body.data).toEqual({ previewUpdateReaderGroup: { changesAccessScope: false, wouldSucceed: true } });
    });
  });
}
