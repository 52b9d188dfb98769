import {
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  validate,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema, printSchemaSdl } from '../../../src/graphql/schema/schema.ts';

describe('the schema', () => {
  it('prints `@oneOf` and the reasons of deprecations', () => {
    expect(printSchemaSdl()).toContain('input AccessScopeInput @oneOf {');
    expect(printSchemaSdl()).toMatch(/htmlContent: String @deprecated\(reason: "[^"]*use content/u);
  });

  it('shows examples that are valid', () => {
    const blocks = [...printSchemaSdl().matchAll(/```graphql\n(.*?)```/gsu)].map(([, block = '']) => block);
    const schema = createSchema();
    expect(
      blocks.flatMap((block) => validate(schema, parse(block)).map(({ message }) => `${message} ${block}`)),
    ).toEqual([]);
  });

  it('specifies every scalar of its own', () => {
    const scalars = Object.values(createSchema().getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    );
    expect(scalars.map((type) => [type.name, Object(type).specifiedByURL])).toEqual([
      ['DateTime', expect.stringMatching(/^https:/u)],
      ['JSON', expect.stringMatching(/^https:/u)],
    ]);
  });

  it('describes optional arguments without a colon, behind which genql takes them for required', () => {
    const fields = Object.values(createSchema().getTypeMap()).flatMap((type) =>
      isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
    );
    const optional = fields.filter(({ args }) => args.length > 0 && !args.some(isRequiredArgument));
    expect(optional.length).toBeGreaterThan(0);
    const described = optional.flatMap(({ name, args }) =>
      args.map((arg) => `${name}(${arg.name}) ${arg.description}`),
    );
    expect(described.filter((text) => text.includes(':'))).toEqual([]);
  });

  it('leaves root fields of mutations nullable, so that one thrown error does not hide other outcomes', () => {
    const mutations = Object.values(createSchema().getMutationType()?.getFields() ?? {});
    expect(mutations.map(({ name, type }) => `${name}: ${type}`)).not.toContainEqual(expect.stringMatching(/!$/u));
    expect(mutations.length).toBeGreaterThan(0);
  });
});
