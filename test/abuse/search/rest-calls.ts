import type { AbuseRequest } from '../measure/request.ts';
import type { FieldSoil } from './fields.ts';
import { createTransport, headersOf, type Transport } from './operations.ts';
import { chance, magnitude, pick } from './random.ts';
import { createText, writeText } from './texts.ts';
import { type Member, mutateValue, shorteningOf, toJson, type Value } from './values.ts';

/** A call of the REST side that the embedded store serves. */
export interface RestGenome {
  readonly kind: 'rest';
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body: Value | null;
  readonly transport: Transport;
}

export function createRestCall(soil: FieldSoil): RestGenome {
  const { random, ids } = soil;
  const transport = { ...createTransport(soil), contentType: pick(random, ['application/json', 'text/json']) };
  const group = `/v2/Readers/groups/${pick(random, ids.groups)}`;
  if (chance(random, 0.3)) return { kind: 'rest', method: 'GET', path: createPath(soil), body: null, transport };
  return chance(random, 0.5)
    ? { kind: 'rest', method: 'PUT', path: '/v2/Articles/bulkupdate', body: createItems(soil), transport }
    : { kind: 'rest', method: 'PUT', path: group, body: createGroup(soil), transport };
}

function createPath({ random, ids }: FieldSoil): string {
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

const text = ({ random }: FieldSoil): Value => ({ kind: 'text', text: createText(random) });

const idOf = ({ random }: FieldSoil, known: readonly string[]): Value =>
  chance(random, 0.7) ? { kind: 'known', text: pick(random, known) } : { kind: 'text', text: createText(random) };

const listOf = ({ random }: FieldSoil, item: Value, most: number): Value => ({
  kind: 'list',
  item,
  count: magnitude(random, most),
  areDistinct: chance(random, 0.5),
});

const some = (soil: FieldSoil, members: readonly Member[]): Value => ({
  kind: 'object',
  members: members.filter((_, index) => index === 0 || chance(soil.random, 0.5)),
});

const createItems = (soil: FieldSoil): Value =>
  listOf(
    soil,
    some(soil, [
      ['article_id', idOf(soil, soil.ids.articles)],
      ['title', text(soil)],
      ['content', text(soil)],
      ['html_content', text(soil)],
      ['category_id', idOf(soil, soil.ids.categories)],
      ['lang_code', idOf(soil, soil.ids.languages)],
      ['order', { kind: 'plain', value: pick(soil.random, [0, 1, -1, 2_147_483_647]) }],
      ['source', text(soil)],
      ['translation_option', text(soil)],
    ]),
    10_000,
  );

function createGroup(soil: FieldSoil): Value {
  const entry = some(soil, [
    ['project_version_id', idOf(soil, soil.ids.projectVersions)],
    ['category_id', idOf(soil, soil.ids.categories)],
    ['language_code', idOf(soil, soil.ids.languages)],
  ]);
  const level: Value = { kind: 'plain', value: pick(soil.random, [0, 1, 2, 3, 4, 5, 6, 7]) };
  const scope = some(soil, [
    ['access_level', level],
    ['categories', listOf(soil, entry, 50_000)],
    ['project_versions', listOf(soil, idOf(soil, soil.ids.projectVersions), 50_000)],
    ['languages', listOf(soil, entry, 50_000)],
  ]);
  return some(soil, [
    ['title', text(soil)],
    ['description', text(soil)],
    ['associated_readers', listOf(soil, idOf(soil, soil.ids.readers), 50_000)],
    ['associated_invited_sso_users', listOf(soil, idOf(soil, soil.ids.invited), 50_000)],
    ['access_scope', scope],
  ]);
}

export function mutateRestCall(soil: FieldSoil, genome: RestGenome): RestGenome {
  if (chance(soil.random, 0.1)) return { ...genome, transport: { ...genome.transport, token: 'known' } };
  if (genome.body === null) return { ...genome, path: createPath(soil) };
  return { ...genome, body: mutateValue(soil, genome.body) };
}

export const requestOfRestCall = ({ method, path, body, transport }: RestGenome): AbuseRequest => ({
  method,
  path,
  headers: headersOf(transport),
  body: body === null ? '' : JSON.stringify(toJson(body, shorteningOf([body]))),
});
