import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';

const SCHEMA = 'schema.graphql';
const CONFIGURATION = 'integrations/tools/graphql-lint/repository.config.js';

type Rules = Readonly<Record<string, readonly [severity: number, ...options: unknown[]]>>;

const { configs } = graphql;

/** All rules for schemas as GraphQL ESLint sets them. */
const defaults = { ...configs['flat/schema-all'].rules, ...configs['flat/schema-relay'].rules };

/** The names of the rules that find something in the schema when they are set as here. */
async function findingRules(rules: typeof defaults): Promise<readonly string[]> {
  const eslint = new ESLint({ overrideConfigFile: CONFIGURATION, overrideConfig: [{ files: [SCHEMA], rules }] });
  const [result] = await eslint.lintFiles(SCHEMA);
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId ?? 'error'))].sort();
}

describe('the rules for the schema', () => {
  let rules: Rules;
  beforeAll(async () => {
    ({ rules } = await new ESLint({ overrideConfigFile: CONFIGURATION }).calculateConfigForFile(SCHEMA));
  });
  const areOff = () => Object.keys(rules).filter((name) => rules[name]?.[0] === 0);

  it('are all that GraphQL ESLint has', () => {
    const ofSchemas = Object.entries(graphql.rules).filter(([, rule]) =>
      [rule.meta?.docs?.category ?? []].flat().includes('Schema'),
    );
    expect(ofSchemas.length).toBeGreaterThan(20);
    for (const [name] of ofSchemas) expect(rules).toHaveProperty([`@graphql-eslint/${name}`]);
  });

  it('are off only where they would find something', async () => {
    // This rule compares with documents, and is part of no configuration.
    const expected = areOff().filter((name) => name !== '@graphql-eslint/no-unused-fields');
    expect(await findingRules(defaults)).toEqual(expected.sort());
  });
});
