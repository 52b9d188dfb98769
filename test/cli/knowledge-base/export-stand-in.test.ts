import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPartialFile } from '../../../src/cli/knowledge-base/partial-file.ts';
import { ServiceSource } from '../../../src/cli/knowledge-base/service-source.ts';
import { SeededRandom } from '../../simulation/world/random.ts';
import { openBackendTo } from '../../support/rest-scene.ts';
import { needsApiFile } from '../../support/stand-in-service/api-file.ts';
import { INITIAL, latestOf } from '../../support/stand-in-service/knowledge.ts';
import { type Readings, randomReadings, singleReadings } from '../../support/stand-in-service/readings.ts';
import { STAND_IN_TOKEN, StandInService } from '../../support/stand-in-service/stand-in-service.ts';

/** All texts that an export with texts has, by article and language. */
async function exportedTexts(readings: Readings): Promise<ReadonlyMap<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const service = await StandInService.open({ readings });
  onTestFinished(() => service.close());
  const partial = openPartialFile(join(folder, 'export.part'), 'owner');
  if (!partial.ok) throw new Error(partial.error);
  const source = new ServiceSource({
    backend: openBackendTo(service.http, { maxReadCalls: Number.POSITIVE_INFINITY }),
    partial: partial.value,
    apiToken: STAND_IN_TOKEN,
    timeoutMs: 30_000,
    url: service.url,
    token: undefined,
    withTexts: true,
    asRows: false,
  });
  const texts = new Map<string, unknown>();
  await source.read(async (entries) => {
    for await (const { id, versions } of entries.articles)
      for (const { lang_code, title, content } of versions) texts.set(`${id} ${lang_code}`, { title, content });
  });
  await source.close();
  expect(service.invalid).toEqual([]);
  return texts;
}

const EXPECTED = new Map(
  [...INITIAL.articles.values()].flatMap(({ id, texts }) =>
    [...texts].map(([code, text]) => {
      const { title, body: content } = latestOf(text);
      return [`${id} ${code}`, { title, content }] as const;
    }),
  ),
);

const RANDOM = Array.from({ length: 20 }, (_, seed) => ({
  name: `the seed ${seed}`,
  readings: randomReadings(new SeededRandom(seed)),
}));

describe('an export of the service with its texts', needsApiFile, () => {
  it.each([...singleReadings(), ...RANDOM])('has every text, and no stand-in, with $name', async ({ readings }) => {
    expect(await exportedTexts(readings)).toEqual(EXPECTED);
  });
});
