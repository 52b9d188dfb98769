import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationProblems, outsideCitations } from './citations.ts';
import { anchorsOf, definitionsOf, headingsOf, type Link, linksOf, referencesOf } from './markdown.ts';
import { readCode, readPages } from './repository-texts.ts';

const pages = await readPages();
// What stands in this folder is made up.
const code = [...(await readCode())].filter(([path]) => !path.startsWith('test/docs/'));
const texts = [...code, ...pages];

/** Null where the link leads to something in the repository, or to another site. */
function linkProblem(page: string, { target, line }: Link): string | null {
  if (/^[a-z]+:/iu.test(target)) return null;
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? page : normalize(join(dirname(page), path));
  const text = pages.get(linked);
  if (anchor === undefined) return existsSync(linked) ? null : `${page}:${line}: there is no ${linked}`;
  return text !== undefined && anchorsOf(text).has(anchor) ? null : `${page}:${line}: ${target} leads to no heading`;
}

describe('the citations of the repository', () => {
  it('stand in the code and in its fixtures', () => {
    const citing = texts.filter(([, text]) => /docs\/(?:service|contract)\.md, \\?"/u.test(text)).map(([path]) => path);
    for (const place of ['src/core/', 'src/service/v2/', 'src/service/', 'test/fixtures/v2/']) {
      expect(citing.filter((path) => path.startsWith(place)).length).toBeGreaterThan(3);
    }
  });

  it('name pages and headings that are there', () => {
    expect(texts.flatMap(([path, text]) => citationProblems(path, text, pages))).toEqual([]);
  });

  it('name no document outside', () => {
    expect(texts.flatMap(([path, text]) => outsideCitations(path, text))).toEqual([]);
  });
});

describe('the links of the pages', () => {
  it('lead to files and headings that are there', () => {
    const problems = [...pages].flatMap(([page, text]) => linksOf(text).map((link) => linkProblem(page, link)));
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });

  it('refer to definitions that are there, and each definition is used', () => {
    for (const [page, text] of pages) {
      const names = (found: readonly { readonly text: string }[]) => [...new Set(found.map((one) => one.text))].sort();
      expect([page, names(referencesOf(text))]).toEqual([page, names(definitionsOf(text))]);
    }
  });

  it.each(['docs/service.md', 'docs/contract.md'])('find each heading of %s once', (page) => {
    const headings = headingsOf(pages.get(page) ?? '');
    expect(headings.length).toBeGreaterThan(15);
    expect(headings).toEqual([...new Set(headings)]);
  });
});

describe('a citation', () => {
  const some = new Map([
    ['docs/service.md', '# The service\n\n```\n# No heading\n```\n\n## Reader groups\n\n## Twice\n\n## Twice\n'],
    ['docs/decisions/0002-writes.md', '# 2. Writes\n\n## Context\n'],
  ]);
  const problems = (text: string) => citationProblems('src/a.ts', text, some);

  it('is right where page and heading are there', () => {
    expect(problems(`/** Pages: see docs/service.md, "Reader groups". */`)).toEqual([]);
    expect(problems(`{ "about": "See docs/service.md, \\"Reader groups\\"." }`)).toEqual([]);
    expect(problems(`// See docs/decisions/0002-writes.md, "Context", and decision 2.`)).toEqual([]);
  });

  it('is wrong where page or heading are not there, or the heading stands twice', () => {
    expect(problems(`\n// See docs/absent.md, "Reader groups".`)).toEqual([`src/a.ts:2: there is no docs/absent.md`]);
    expect(problems(`// See docs/absent.md.`)).toEqual([`src/a.ts:1: there is no docs/absent.md`]);
    expect(problems(`// See docs/service.md, "Readers".`)).toEqual([
      `src/a.ts:1: docs/service.md has no heading "Readers"`,
    ]);
    expect(problems(`// See docs/service.md, "No heading".`)).toEqual([
      `src/a.ts:1: docs/service.md has no heading "No heading"`,
    ]);
    expect(problems(`// See docs/service.md, "Twice".`)).toEqual([
      `src/a.ts:1: docs/service.md has 2 headings "Twice"`,
    ]);
    expect(problems(`// See docs/service.md.`)).toEqual([`src/a.ts:1: docs/service.md is cited without a heading`]);
    expect(problems(`// See decision 3.`)).toEqual(['src/a.ts:1: there is no docs/decisions/0003-….md']);
  });

  it.each([
    [
      'before the heading',
      `/**\n * Pages: see docs/service.md,\n * "Reader groups".\n */`,
      `/**\n * See docs/service.md,\n * "Readers".\n */`,
    ],
    ['in the heading', `// See docs/service.md, "Reader\n// groups".`, `// See docs/service.md, "Reader\n// lists".`],
    ['in a page', `See docs/service.md, "Reader\n  groups".`, `See docs/service.md, "Reader\n  lists".`],
  ])('may break over a line %s', (_, right, wrong) => {
    expect(problems(right)).toEqual([]);
    expect(problems(wrong)).toHaveLength(1);
    expect(problems(wrong)[0]).toMatch(/^src\/a\.ts:[12]: .* has no heading "/u);
  });

  it.each([
    `(facts, 3c)`,
    `(facts, section 1)`,
    `(service facts 3d)`,
    `(service facts, Enums seen)`,
    `contract, section 4`,
    `(contract, 4)`,
    `contract section\n * 1`,
    `(spec, Errors)`,
    `(spec: positions start from 1)`,
    `the spec's own example`,
    `issue 13`,
    `see house-style.md`,
    `see service-facts.md`,
    `see ../shared/contract.md`,
  ])('of a document outside is found: %s', (quoted) => {
    expect(outsideCitations('src/a.ts', `\n/** An ID ${quoted}. */`)[0]).toMatch(/^src\/a\.ts:2: cites "/u);
  });

  it('of an RFC, and words that mean other things, are no such citations', () => {
    const text =
      '// RFC 3696, section 3. The specification of GraphQL. `spec: true`. Facts, contracts and every issue.';
    expect(outsideCitations('src/a.ts', text)).toEqual([]);
  });
});
