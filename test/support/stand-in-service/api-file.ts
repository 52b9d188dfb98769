import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { needs } from '../needs.ts';

/** The vendor's API file (OpenAPI 3.0.1), which is data beside the checkout and no part of it. */
const PATH = new URL('../../../../shared/spec/openapi-v2.json', import.meta.url);

/** Its path. */
export const API_FILE = fileURLToPath(PATH);

/** Skips tests where the file is missing. */
export const needsApiFile = needs(existsSync(PATH), 'the API file of the service is not beside the checkout');

const content = z.object({ 'application/json': z.object({ schema: z.unknown() }).optional() }).partial();
const parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: z.unknown() });
const operation = z.object({
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
const apiFile = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

export type ApiOperation = z.output<typeof operation> & { readonly method: string; readonly path: string };

export interface ApiRequest {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly body: unknown;
}

const SCHEMAS = '#/components/schemas/';

/** The file's own examples have times without a zone. */
const TIME_PATTERN = String.raw`^\d{4}-\d\d-\d\dT`;

/** A schema of OpenAPI 3.0 as one of JSON Schema: null is a type of its own there. */
function jsonSchemaOf(schema: unknown, isWhole = false): unknown {
  if (Array.isArray(schema)) return schema.map((one) => jsonSchemaOf(one, isWhole));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, format, ...members } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, jsonSchemaOf(value, isWhole)]),
  );
  const { $ref } = members;
  const isTime = format === 'date-time' && members['type'] === 'string';
  const converted =
    typeof $ref === 'string'
      ? { $ref: $ref.replace(SCHEMAS, '#/$defs/') }
      : { ...members, ...(isTime && { pattern: TIME_PATTERN }), ...(isWhole && { required: neverNullIn(schema) }) };
  return nullable === true ? { anyOf: [{ type: 'null' }, converted] } : converted;
}

const objectSchema = z.object({ properties: z.record(z.string(), z.object({ nullable: z.boolean().optional() })) });

/** The members of a schema that are not nullable. */
function neverNullIn(schema: unknown): readonly string[] {
  const { data } = objectSchema.safeParse(schema);
  return Object.entries(data?.properties ?? {}).flatMap(([name, { nullable }]) => (nullable ? [] : [name]));
}

/** The issues below those of unions, each with its path. Of a union, the last option is what is not null. */
function findingsOf(
  what: string,
  issues: readonly z.core.$ZodIssue[],
  path: readonly PropertyKey[] = [],
): readonly string[] {
  return issues.flatMap((issue) => {
    const place = [...path, ...issue.path];
    const inner = issue.code === 'invalid_union' ? issue.errors.at(-1) : undefined;
    return inner === undefined ? [`${[what, ...place].join('/')}: ${issue.message}`] : findingsOf(what, inner, place);
  });
}

/** Validates requests and answers by the API file. */
export class ApiFile {
  readonly operations: readonly ApiOperation[];
  /** The schemas by their texts. */
  readonly #validators = new Map<string, z.ZodType>();
  readonly #definitions: unknown;

  readonly #isWhole: boolean;

  /** Where `isWhole`, an answer also has all members that are not nullable, on which generated clients rely. */
  constructor({ isWhole = false } = {}) {
    this.#isWhole = isWhole;
    const { paths, components } = apiFile.parse(JSON.parse(readFileSync(PATH, 'utf8')));
    this.#definitions = jsonSchemaOf(components.schemas, isWhole);
    const literals = ({ path }: { readonly path: string }) =>
      path.split('/').filter((part) => !part.includes('{')).length;
    // A literal segment is preferred to a parameter.
    this.operations = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
      )
      .toSorted((one, other) => literals(other) - literals(one));
  }

  /** The operation of a request; undefined where the file has none. */
  find({ method, url }: Pick<ApiRequest, 'method' | 'url'>): ApiOperation | undefined {
    const [path = ''] = url.split('?');
    return this.operations.find((one) => one.method === method && patternOf(one.path).test(path));
  }

  /** What is wrong with a request. The query names in `alsoAllowed` have later sources than the file. */
  checkRequest(request: ApiRequest, alsoAllowed: readonly string[] = []): readonly string[] {
    const found = this.find(request);
    const { method, url, body } = request;
    if (found === undefined) return [`${method} ${url} is not in the API file`];
    const what = `${method} ${found.path}`;
    const known = found.parameters.filter((one) => one.in === 'query');
    const query = new URL(url, 'http://service').searchParams;
    const schema = found.requestBody?.content['application/json']?.schema;
    return [
      ...[...query.keys()]
        .filter((name) => ![...known.map((one) => one.name), ...alsoAllowed].includes(name))
        .map((name) => `${what} has no parameter ${name}`),
      ...known.flatMap((one) => this.#checkParameter(what, one, query.get(one.name))),
      ...(schema === undefined && body !== undefined ? [`${what} has no body`] : []),
      ...(schema === undefined ? [] : this.#check(`${what} body`, schema, body)),
    ];
  }

  #checkParameter(what: string, { name, required, schema }: z.output<typeof parameter>, value: string | null) {
    if (value === null) return required ? [`${what} lacks the parameter ${name}`] : [];
    const json = /^(?:true|false|-?\d+)$/u.test(value) ? JSON.parse(value) : value;
    return this.#check(value, schema, json).length === 0 || this.#check(value, schema, value).length === 0
      ? []
      : [`${what}: ${name}=${value} is not of the type of the parameter`];
  }

  /** What is wrong with an answer of an operation. */
  checkAnswer({ method, path, responses }: ApiOperation, status: number, body: unknown): readonly string[] {
    const response = responses[`${status}`];
    if (response === undefined) return [`${method} ${path} has no answer ${status}`];
    return this.#check(`${method} ${path} ${status}`, response.content?.['application/json']?.schema, body);
  }

  /** What is wrong with a value by a schema of the file. */
  checkAs(name: string, value: unknown): readonly string[] {
    return this.#check(name, { $ref: `${SCHEMAS}${name}` }, value);
  }

  #check(what: string, schema: unknown, value: unknown): readonly string[] {
    const text = JSON.stringify(jsonSchemaOf(schema, this.#isWhole) ?? {});
    const validator = this.#validators.get(text) ?? z.fromJSONSchema({ ...JSON.parse(text), $defs: this.#definitions });
    this.#validators.set(text, validator);
    const parsed = validator.safeParse(value);
    return parsed.success ? [] : findingsOf(what, parsed.error.issues);
  }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}/?$`, 'iu');
