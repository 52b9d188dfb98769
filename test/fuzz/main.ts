import { createSubgraph } from '../../src/graphql/schema/schema.ts';
import { print } from '../support/figures.ts';
import type { Verdict } from './check-response.ts';
import { startGateways } from './gateways.ts';
import { type InputPosition, positionsOf } from './positions.ts';
import { withLiterals, withVariables } from './queries.ts';
import { tryValue } from './try-graphql.ts';
import { tryV2Value } from './try-v2.ts';
import { nameOf, V2_POSITIONS } from './v2.ts';
import { BAD_VALUES, type BadValue } from './values.ts';

/*
 * `npm run test:fuzz`: every value at every position, of which `bad-values.long.test.ts` tries some. Prints the figures of
 * docs/reliability.md, and ends with 1 when a response is wrong.
 */
const MAX_SHOWN = 50;

interface Run<P> {
  readonly name: string;
  readonly positions: readonly P[];
  readonly nameOf: (position: P) => string;
  readonly attempt: (position: P, bad: BadValue) => Promise<Verdict | null>;
}

async function run<P>({ name, positions, nameOf: nameOfPosition, attempt }: Run<P>): Promise<void> {
  const counts = { accepted: 0, refused: 0, fault: 0 };
  for (const position of positions) {
    for (const bad of BAD_VALUES) {
      const verdict = await attempt(position, bad);
      if (verdict === null) continue;
      counts[verdict.kind] += 1;
      if (verdict.kind !== 'fault') continue;
      process.exitCode = 1;
      if (counts.fault <= MAX_SHOWN) print(`FAILED: ${nameOfPosition(position)} = ${bad.name}: ${verdict.why}`);
    }
  }
  const { accepted, refused, fault } = counts;
  print(`${name}: ${accepted + refused + fault} values at ${positions.length} positions`);
  print(`  accepted ${accepted}, rejected by name ${refused}, wrong responses ${fault}`);
}

const schema = createSubgraph();
const gateways = await startGateways();
const { local, rest } = gateways;
const graphql = {
  positions: positionsOf(schema),
  nameOf: ({ field, path }: InputPosition) => `${field}.${path.join('.')}`,
};

const targets = [
  { name: 'GraphQL over the store', gateway: local, write: withVariables },
  { name: 'GraphQL over the store, in the document', gateway: local, write: withLiterals },
  { name: 'GraphQL over REST', gateway: rest, write: withVariables },
];

for (const { name, gateway, write } of targets) {
  await run({ ...graphql, name, attempt: (...at) => tryValue({ schema, gateway, write }, ...at) });
}
await run({ name: '/v2', positions: V2_POSITIONS, nameOf, attempt: (...at) => tryV2Value(local, ...at) });
await gateways.close();
