import type { Client, OperationContext } from '@urql/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../../../test/clients/demo-gateway.ts';
import { operationOf } from '../../../../test/clients/documents.ts';
import { testClient } from '../client-suite.ts';
import { runWithUrql } from './run-with-urql.ts';
import { createUrqlClient } from './urql-client.ts';

describe('urql', () => {
  testClient(({ url, token }) => {
    const client = createUrqlClient(url, token);
    return {
      run: (operation, variables) => runWithUrql(client, { document: operationOf(operation), variables }),
    };
  });
});

describe('the document cache of urql', () => {
  let gateway: DemoGateway;
  let client: Client;
  beforeEach(async () => {
    gateway = await startDemoGateway();
    client = createUrqlClient(gateway.target.url, gateway.target.token);
  });
  afterEach(() => gateway.close());

  const update = (operation: string, item: object, context?: Partial<OperationContext>) =>
    runWithUrql(client, { document: operationOf(operation), variables: { articles: [item] }, context });

  const articlesOf = async (categoryId: string, context?: Partial<OperationContext>): Promise<string> => {
    const document = operationOf('ArticlesOfCategory');
    const { data } = await runWithUrql(client, { document, variables: { categoryId }, context });
    return JSON.stringify(data);
  };

  it('reads again after a mutation without a read-back that names the type', async () => {
    await articlesOf('first-steps');
    await update(
      'UpdateOnly',
      { articleId: 'pair-a-lamp', title: 'Pair any lamp' },
      { additionalTypenames: ['Article'] },
    );
    expect(await articlesOf('first-steps')).toContain('Pair any lamp');
  });

  it.each([
    ['keeps an empty list', {}, false],
    ['reads an empty list again that names the type of its items', { additionalTypenames: ['Article'] }, true],
  ])('%s after a mutation that fills the list', async (_, context, isReadAgain) => {
    await update('UpdateOnly', { articleId: 'holiday-mode', categoryId: 'rooms' });
    expect(await articlesOf('daily-use', context)).not.toContain('holiday-mode');
    await update('UpdateAndReadBack', { articleId: 'holiday-mode', categoryId: 'daily-use' });
    expect((await articlesOf('daily-use', context)).includes('holiday-mode')).toBe(isReadAgain);
  });
});
