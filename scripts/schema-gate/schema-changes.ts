import { buildSchema } from 'graphql';
import { clientRuleChanges } from './client-rules.ts';
import { inspectorChanges } from './inspector-changes.ts';
import type { SchemaChange } from './schema-change.ts';

/** The changes from the SDL of the last release to the current SDL. */
export async function schemaChanges(released: string, current: string): Promise<readonly SchemaChange[]> {
  const schemas = { released: buildSchema(released), current: buildSchema(current) };
  return [...(await inspectorChanges(schemas)), ...clientRuleChanges(schemas)];
}
