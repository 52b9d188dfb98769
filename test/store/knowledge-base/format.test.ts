import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKnowledgeBaseFile } from '../../../src/store/knowledge-base/file.ts';
import { printKnowledgeBaseJsonSchema } from '../../../src/store/knowledge-base/format.ts';
import { openStore, temporaryFolder, value } from '../store.ts';

const contract = await readFile(join('docs', 'contract.md'), 'utf8');

describe('knowledge-base.schema.json', () => {
  it('is current', async () => {
    expect(await readFile('knowledge-base.schema.json', 'utf8')).toBe(printKnowledgeBaseJsonSchema());
  });

  it('forbids members that are not known, and needs no list', () => {
    const schema = JSON.parse(printKnowledgeBaseJsonSchema());
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema.required).toBeUndefined();
    expect(schema.properties.articles.items).toMatchObject({
      additionalProperties: false,
      properties: { versions: { minItems: 1, items: { additionalProperties: false } } },
    });
  });
});

describe('the sample file of docs/contract.md, "Import format"', () => {
  const sample = /## Import format\n.*?```json\n(?<json>.*?)```/su.exec(contract)?.groups?.['json'] ?? '';

  it('has about twenty lines', () => {
    expect(Math.abs(sample.trimEnd().split('\n').length - 20)).toBeLessThan(5);
  });

  it('is imported as it is, with an entry in every list', async () => {
    const path = join(temporaryFolder(), 'sample.json');
    writeFileSync(path, sample);
    const knowledgeBase = value(await readKnowledgeBaseFile(path));
    const { backend } = await openStore({ knowledgeBase });
    const { alreadyThere } = await backend.importKnowledgeBase(knowledgeBase, () => {});
    expect(Object.values(alreadyThere)).toEqual(Object.values(alreadyThere).map(() => 1));
  });
});
