import { getOperationAST, Kind, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/core/base/log.ts';
import { estimateQueryCost } from '../../../../src/graphql/execution/cost/cost-limit.ts';
import { createExecutor } from '../../../../src/graphql/execution/executor/execute.ts';
import { createSubgraph } from '../../../../src/graphql/schema/schema.ts';
import { openRestBackend } from '../../../../src/service/rest-backend.ts';
import { type DemoGateway, startDemoGateway } from '../../../clients/demo-gateway.ts';
import { endpointsOfPage, nameOfCall, rowsOfPage } from '../../../docs/calls.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

const endpoints = endpointsOfPage();
const rows = rowsOfPage();
const schema = createSubgraph();

const rootFieldsOf = (document: string): readonly string[] =>
  getOperationAST(parse(document))?.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? [selection.name.value] : [],
  ) ?? [];

describe('docs/reference/calls.md', () => {
  let service: DemoGateway;
  let gateway: Gateway;
  const calls: string[] = [];

  beforeAll(async () => {
    const onRequest = ({ method, url }: { method?: string | undefined; url?: string | undefined }) => {
      calls.push(`${method} ${url}`);
    };
    service = await startDemoGateway({ onRequest });
    const { token } = service.target;
    const limits = { timeoutMs: 10_000, bulkSize: 100, maxReadCalls: 60 };
    const backend = openRestBackend({
      baseUrl: service.url,
      ...limits,
      readCacheMs: 0,
      readLagsMs: { list: 0, article: 0 },
      log: silentLog,
    });
    gateway = await startGateway({ backend, local: false, token });
  });
  afterAll(() => Promise.all([gateway, service].map((one) => one?.close())));

  it('has rows for every root field', async () => {
    const { body } = await gateway.send(
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const names = [...JSON.stringify(body.data).matchAll(/"name":"(?<name>\w+)"/gu)].map(
      ({ groups }) => groups?.['name'],
    );
    const shown = new Set(rows.flatMap(({ document }) => rootFieldsOf(document)));
    expect(names.filter((name = '') => !shown.has(name))).toEqual([]);
  });

  it.each(rows)('counts the calls of $document', async ({ document, made, total }) => {
    calls.length = 0;
    const { body } = await gateway.send(document);
    expect(body.errors).toBeUndefined();
    const counts = new Map<string, number>();
    for (const call of calls) {
      const name = nameOfCall(endpoints, call);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual(made);
    expect(calls).toHaveLength(total);
  });

  it.each(rows.filter(({ document }) => document.startsWith('{')))(
    'has no more calls than are estimated for $document',
    ({ document, total }) => {
      const parsed = parse(document);
      const operation = getOperationAST(parsed);
      if (!operation) throw new Error('The document has no operation.');
      const plan = createExecutor(schema).fixedPlanOf(parsed, operation);
      expect(plan && estimateQueryCost(plan, {}).total).toBeGreaterThanOrEqual(total);
    },
  );

  it.each(rows)('says why where the calls are not the least: $document', ({ total, least, reason }) => {
    expect(total).toBeGreaterThanOrEqual(least);
    expect(reason !== '').toBe(total > least);
  });
});
