import { Kind, parse, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createSchema, printSchemaSdl } from '../../src/schema/schema.ts';

const DESCRIBED = new Set<string>([
  Kind.ENUM_TYPE_DEFINITION,
  Kind.ENUM_VALUE_DEFINITION,
  Kind.FIELD_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.INPUT_VALUE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
]);

describe('the schema', () => {
  it('describes every type, field, argument, input field and enum value', () => {
    const undescribed: string[] = [];
    visit(parse(printSchemaSdl()), {
      enter: (...[node, , , , ancestors]) => {
        if (!('name' in node && node.name && DESCRIBED.has(node.kind)) || ('description' in node && node.description))
          return;
        const owners = ancestors.flatMap((ancestor) =>
          'name' in ancestor && ancestor.name ? [ancestor.name.value] : [],
        );
        undescribed.push([...owners, node.name.value].join('.'));
      },
    });
    expect(undescribed).toEqual([]);
  });

  it('prints `@oneOf` and the reasons of deprecations', () => {
    expect(printSchemaSdl()).toContain('input AccessScopeInput @oneOf {');
    expect(printSchemaSdl()).toMatch(/htmlContent: String @deprecated\(reason: "[^"]*use content/u);
  });

  it('leaves root fields of mutations nullable, so that one thrown error does not hide other outcomes', () => {
    const mutations = Object.values(createSchema().getMutationType()?.getFields() ?? {});
    expect(mutations.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'bulkUpdateArticles: BulkUpdateArticlesResult',
      'changeReaderGroupMembers: ChangeReaderGroupMembersResult',
      'previewBulkUpdateArticles: PreviewBulkUpdateArticlesResult',
      'previewChangeReaderGroupMembers: PreviewChangeReaderGroupMembersResult',
      'previewUpdateReaderGroup: PreviewUpdateReaderGroupResult',
      'updateReaderGroup: UpdateReaderGroupResult',
    ]);
  });
});
