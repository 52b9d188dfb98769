import type { AbuseRequest } from '../measure/request.ts';
import type { SchemaContext } from './fields.ts';
import { createTransport, headersOf, type Transport } from './operations.ts';
import { chance, magnitude, pick } from './random.ts';
import { createText, writeText } from './texts.ts';
import { type Member, mutateValue, shorteningOf, toJson, type Value } from './values.ts';

/** A call of the REST API that the embedded store serves. */
export interface RestGenome {
  readonly kind: 'rest';
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body: Value | null;
  readonly transport: Transport;
}

export function createRestCall(context: SchemaContext): RestGenome {
  const { random, ids } = context;
  const transport = { ...createTransport(context), contentType: pick(random, ['application/json', 'text/json']) };
  const group = `/v2/Readers/groups/${pick(random, ids.groups)}`;
  if (chance(random, 0.3)) return { kind: 'rest', method: 'GET', path: createPath(context), body: null, transport };
  return chance(random, 0.5)
    ? { kind: 'rest', method: 'PUT', path: '/v2/Articles/bulkupdate', body: createItems(context), transport }
    : { kind: 'rest', method: 'PUT', path: group, body: createGroup(context), transport };
}

function createPath({ random, ids }: SchemaContext): string {
  const odd = (): string =>
    encodeURIComponent(writeText({ ...createText(random), length: magnitude(random, 4_000) }).toWellFormed());
  const idOr = (known: readonly string[]): string => (chance(random, 0.7) ? pick(random, known) : odd());
  const number = (): number => pick(random, [0, 1, 2, 100, 5_000, 1e9]);
  return pick(random, [
    () => `/v2/Readers/groups?offSet=${number()}&excludeReaders=false`,
    () => `/v2/Readers/groups/${idOr(ids.groups)}?offSet=${number()}`,
    () => `/v2/Readers?offSet=${number()}&searchEmail=${odd()}`,
    () => `/v2/Articles/${idOr(ids.articles)}/${idOr(ids.languages)}`,
    () => `/v2/Articles/${idOr(ids.articles)}/versions/${number()}`,
    () => `/v2/ProjectVersions/${idOr(ids.projectVersions)}/articles?page=${number()}&langCode=${odd()}`,
    () => `/v2/ProjectVersions/${idOr(ids.projectVersions)}/categories?langCode=${idOr(ids.languages)}`,
    () => `/v2/Categories/${idOr(ids.categories)}`,
    () => `/v2/${'a/'.repeat(magnitude(random, 5_000))}`,
    () => `/v2/Language/${idOr(ids.projectVersions)}?${'a=b&'.repeat(magnitude(random, 3_000))}`,
  ])();
}

const text = ({ random }: SchemaContext): Value => ({ kind: 'text', text: createText(random) });

const idOf = ({ random }: SchemaContext, known: readonly string[]): Value =>
  chance(random, 0.7) ? { kind: 'known', text: pick(random, known) } : { kind: 'text', text: createText(random) };

const listOf = ({ random }: SchemaContext, item: Value, most: number): Value => ({
  kind: 'list',
  item,
  count: magnitude(random, most),
  areDistinct: chance(random, 0.5),
});

const some = (context: SchemaContext, members: readonly Member[]): Value => ({
  kind: 'object',
  members: members.filter((_, index) => index === 0 || chance(context.random, 0.5)),
});

const createItems = (context: SchemaContext): Value =>
  listOf(
    context,
    some(context, [
      ['article_id', idOf(context, context.ids.articles)],
      ['title', text(context)],
      ['content', text(context)],
      ['html_content', text(context)],
      ['category_id', idOf(context, context.ids.categories)],
      ['lang_code', idOf(context, context.ids.languages)],
      ['order', { kind: 'plain', value: pick(context.random, [0, 1, -1, 2_147_483_647]) }],
      ['source', text(context)],
      ['translation_option', text(context)],
    ]),
    10_000,
  );

function createGroup(context: SchemaContext): Value {
  const entry = some(context, [
    ['project_version_id', idOf(context, context.ids.projectVersions)],
    ['category_id', idOf(context, context.ids.categories)],
    ['language_code', idOf(context, context.ids.languages)],
  ]);
  const level: Value = { kind: 'plain', value: pick(context.random, [0, 1, 2, 3, 4, 5, 6, 7]) };
  const scope = some(context, [
    ['access_level', level],
    ['categories', listOf(context, entry, 50_000)],
    ['project_versions', listOf(context, idOf(context, context.ids.projectVersions), 50_000)],
    ['languages', listOf(context, entry, 50_000)],
  ]);
  return some(context, [
    ['title', text(context)],
    ['description', text(context)],
    ['associated_readers', listOf(context, idOf(context, context.ids.readers), 50_000)],
    ['associated_invited_sso_users', listOf(context, idOf(context, context.ids.invited), 50_000)],
    ['access_scope', scope],
  ]);
}

export function mutateRestCall(context: SchemaContext, genome: RestGenome): RestGenome {
  if (chance(context.random, 0.1)) return { ...genome, transport: { ...genome.transport, token: 'known' } };
  if (genome.body === null) return { ...genome, path: createPath(context) };
  return { ...genome, body: mutateValue(context, genome.body) };
}

export const requestOfRestCall = ({ method, path, body, transport }: RestGenome): AbuseRequest => ({
  method,
  path,
  headers: headersOf(transport),
  body: body === null ? '' : JSON.stringify(toJson(body, shorteningOf([body]))),
});
