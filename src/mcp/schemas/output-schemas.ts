import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type JsonSchema, orNull, scalarSchema } from './json-schemas.ts';
import { mergeAlternatives } from './merge-alternatives.ts';

/** The schemas of what a document selects. Descriptions are left out, since a client reads all tools at once. */
export class SelectionSchemas {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema;
    this.#fragments = new Map(
      definitions.flatMap((definition) =>
        definition.kind === 'FragmentDefinition' ? [[definition.name.value, definition] as const] : [],
      ),
    );
  }

  /** The properties of an object by response keys. */
  properties(type: GraphQLObjectType, selections: SelectionSetNode): Readonly<Record<string, JsonSchema>> {
    const properties: Record<string, JsonSchema> = {};
    for (const [key, nodes] of this.#fieldsOf(type, selections)) properties[key] = this.#fieldSchema(type, nodes);
    return properties;
  }

  /** Adds the fields that an object of the type has, also those of fragments that apply to it. */
  #fieldsOf(type: GraphQLObjectType, { selections }: SelectionSetNode, fields = new Map<string, FieldNode[]>()) {
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const key = selection.alias?.value ?? selection.name.value;
        fields.set(key, [...(fields.get(key) ?? []), selection]);
        continue;
      }
      const fragment = selection.kind === 'FragmentSpread' ? this.#fragments.get(selection.name.value) : selection;
      if (fragment !== undefined && this.#applies(fragment.typeCondition?.name.value, type))
        this.#fieldsOf(type, fragment.selectionSet, fields);
    }
    return fields;
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const conditionType = this.#schema.getType(condition);
    return isAbstractType(conditionType) && this.#schema.isSubType(conditionType, type);
  }

  #fieldSchema(type: GraphQLObjectType, nodes: readonly FieldNode[]): JsonSchema {
    const name = nodes[0]?.name.value ?? '';
    if (name === '__typename') return { type: 'string', enum: [type.name] };
    const field = type.getFields()[name];
    if (field === undefined) throw new Error(`A tool selects the field ${name}, which ${type.name} does not have.`);
    const selections = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
    return this.#typeSchema(field.type, { kind: Kind.SELECTION_SET, selections });
  }

  #typeSchema(type: GraphQLOutputType, selections: SelectionSetNode): JsonSchema {
    if (isNonNullType(type)) return this.#nonNullSchema(type.ofType, selections);
    return orNull(this.#nonNullSchema(type, selections));
  }

  #nonNullSchema(type: GraphQLOutputType, selections: SelectionSetNode): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.#typeSchema(type.ofType, selections) };
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
    if (isObjectType(type)) return this.#objectSchema(type, selections);
    if (!isCompositeType(type)) return scalarSchema(getNamedType(type).name);
    const schemas = mergeAlternatives(
      this.#schema.getPossibleTypes(type).map((possible) => this.#objectSchema(possible, selections)),
    );
    return schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas };
  }

  #objectSchema(type: GraphQLObjectType, selections: SelectionSetNode): JsonSchema {
    const properties = this.properties(type, selections);
    return { type: 'object', properties, required: Object.keys(properties) };
  }
}
