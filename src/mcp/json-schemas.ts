import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { CONTENT_PAGE_CHARS, MAX_PAGE_SIZE, MAX_TOOL_ARTICLES } from '../base/limits.ts';
import { CONTENT_OFFSET, PREVIEW_TOKEN, type Tool } from './tools.ts';

/** A JSON Schema of draft 2020-12, as tools state their arguments and results. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly [keyword: string]: unknown;
}

/** The schema of an object, which is that of all arguments and of all results. */
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
}

/** The values of scalars in JSON. `JSON` can be anything. */
const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string' },
};

const scalarSchema = (name: string): JsonSchema => SCALARS[name] ?? {};

/** Returns the schema, changed so that it also permits null. The empty schema permits it already. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type === 'string' && !('enum' in schema)) return { ...schema, type: [type, 'null'] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** The operation of a tool, and the type whose fields it selects. */
export interface ParsedTool {
  readonly tool: Tool;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly rootType: GraphQLObjectType;
}

/** The descriptions of variables: those of the arguments and input fields that they are used for. */
function argumentDescriptions(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const add = (value: ValueNode, description: string | null | undefined) => {
    if (value.kind === 'Variable' && description) descriptions.set(value.name.value, description);
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument: ({ value }) => add(value, typeInfo.getArgument()?.description),
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(typeInfo.getParentInputType());
        if (isInputObjectType(parent)) add(value, parent.getFields()[name.value]?.description);
      },
    }),
  );
  return descriptions;
}

/** Bounds that the types of GraphQL do not state. */
const BOUNDS: Readonly<Record<string, JsonSchema>> = {
  first: { minimum: 1, maximum: MAX_PAGE_SIZE },
  articles: { minItems: 1, maxItems: MAX_TOOL_ARTICLES },
};

/** Descriptions in the place of those that the schema has. */
const NOTES: Readonly<Record<string, string>> = {
  [PREVIEW_TOKEN]:
    'The `previewToken` that the preview of these same arguments gave. It lives ten minutes and serves for one write.',
};

/** The schema of the arguments of a tool, from the variables of its operation. */
export function inputSchemaOf(schema: GraphQLSchema, { tool, document, operation }: ParsedTool): ObjectJsonSchema {
  const { variableDefinitions = [] } = operation;
  const descriptions = argumentDescriptions(schema, document);
  const properties = variableDefinitions.map((definition): [string, JsonSchema] => {
    const name = definition.variable.name.value;
    const description = NOTES[name] ?? descriptions.get(name);
    return [name, { ...variableSchema(schema, definition), ...BOUNDS[name], ...(description && { description }) }];
  });
  if (tool.pagesContent) properties.push([CONTENT_OFFSET, CONTENT_OFFSET_SCHEMA]);
  const required = variableDefinitions.filter(isRequired).map(({ variable }) => variable.name.value);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const isRequired = ({ type, defaultValue }: VariableDefinitionNode): boolean =>
  type.kind === 'NonNullType' && defaultValue === undefined;

/** An argument that is not required is left out rather than null, so its schema does not mention null. */
function variableSchema(schema: GraphQLSchema, { type, defaultValue }: VariableDefinitionNode): JsonSchema {
  const inputType = typeFromAST(schema, type);
  if (!isInputType(inputType)) throw new Error('A variable of a tool has no input type.');
  return { ...typeSchema(inputType), ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }) };
}

function typeSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return scalarSchema(type.name);
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, type.isOneOf)])),
    ...(type.isOneOf
      ? { minProperties: 1, maxProperties: 1 }
      : { required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name) }),
    additionalProperties: false,
  };
}

function fieldSchema({ type, description }: GraphQLInputField, isOneOf: boolean): JsonSchema {
  const schema = isNonNullType(type) || isOneOf ? typeSchema(type) : orNull(typeSchema(type));
  return { ...schema, ...(description && { description }) };
}

/** The schemas of what a document selects. Descriptions are left out, since a client reads all tools at once. */
class SelectionSchemas {
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

/**
 * Makes one schema of an object type and of those that have the same properties and others besides, which are optional
 * then: so all errors of a mutation become one alternative.
 */
function mergeAlternatives(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const merged: JsonSchema[] = [];
  for (const schema of schemas.toSorted((one, other) => sizeOf(one) - sizeOf(other))) {
    const index = merged.findIndex((base) => extendsBase(schema, base));
    const base = merged[index];
    if (base === undefined) merged.push(schema);
    else merged[index] = mergeInto(base, schema);
  }
  return merged;
}

const sizeOf = ({ properties = {} }: JsonSchema): number => Object.keys(properties).length;

/** The property that names the type. It differs between any two types. */
const TYPENAME = '__typename';

/** True where the schema has all that the base requires, besides the name, and means the same by the same names. */
function extendsBase({ properties = {} }: JsonSchema, { properties: base = {}, required = [] }: JsonSchema): boolean {
  const others = required.filter((name) => name !== TYPENAME);
  return (
    others.length > 0 &&
    others.every((name) => name in properties) &&
    Object.keys(properties).every(
      (name) => name === TYPENAME || !(name in base) || JSON.stringify(properties[name]) === JSON.stringify(base[name]),
    )
  );
}

function mergeInto(base: JsonSchema, { properties = {} }: JsonSchema): JsonSchema {
  const typenames = [base.properties?.[TYPENAME], properties[TYPENAME]].flatMap(namesOf);
  const typename = typenames.length === 0 ? {} : { [TYPENAME]: { type: 'string', enum: typenames } };
  return { ...base, properties: { ...base.properties, ...properties, ...typename } };
}

const namesOf = (typename: JsonSchema | undefined): readonly unknown[] => {
  const names = typename?.['enum'];
  return Array.isArray(names) ? names : [];
};

const CONTENT_OFFSET_SCHEMA: JsonSchema = {
  type: 'integer',
  minimum: 0,
  default: 0,
  description: `The character at which the piece of the text begins; a piece has up to ${CONTENT_PAGE_CHARS} characters.`,
};

const CONTENT_PAGE_SCHEMA: JsonSchema = {
  type: ['object', 'null'],
  description: 'The place of the returned piece in the whole text, in UTF-16 code units; null where there is no text.',
  properties: {
    offset: { type: 'integer' },
    totalLength: { type: 'integer' },
    nextOffset: { type: ['integer', 'null'] },
  },
  required: ['offset', 'totalLength', 'nextOffset'],
};

const ERRORS: JsonSchema = {
  type: 'array',
  description: 'What failed, or why nothing was done.',
  items: {
    type: 'object',
    properties: { message: { type: 'string' }, code: { type: 'string' } },
    required: ['message'],
  },
};

const TRUNCATED: JsonSchema = {
  type: 'array',
  description: 'Texts and lists that were cut.',
  items: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      unit: { type: 'string', enum: ['characters', 'items'] },
      kept: { type: 'integer' },
      total: { type: 'integer' },
    },
  },
};

const PREVIEW_TOKEN_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  previewToken: { type: 'string', description: 'Lets the write of these same arguments follow, once.' },
  previewTokenExpiresAt: { type: 'string', description: 'RFC 3339' },
};

/** The schema of a result: the data of the operation, and what there is to say about it. */
export function outputSchemaOf(
  schema: GraphQLSchema,
  { tool, document, operation, rootType }: ParsedTool,
): ObjectJsonSchema {
  const properties = {
    ...new SelectionSchemas(schema, document).properties(rootType, operation.selectionSet),
    ...(tool.pagesContent && { contentPage: CONTENT_PAGE_SCHEMA }),
    ...(tool.effect === 'preview' && PREVIEW_TOKEN_MEMBERS),
    errors: ERRORS,
    truncated: TRUNCATED,
  };
  return { type: 'object', properties };
}
