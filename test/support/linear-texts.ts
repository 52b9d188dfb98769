import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';

/** A function that reads a text of somebody else. */
export type TextFunction = (text: string) => unknown;

interface TextReaders {
  /** The functions by the file of the room that each is in. */
  readonly functions: Readonly<Record<string, readonly TextFunction[]>>;
  /** Files whose expressions read no text of somebody else, or none longer than the 16 kB that a head may have. */
  readonly withoutLongTexts: readonly string[];
}

/** Texts that built-ins, expressions or parsers may treat specially, by what they are. */
export const ATOMS = [
  ...['a', 'Z', '9', ' ', '\t', '\n', '\r\n', '\0', '-', '.', '_', '/', '\\', '%', '%25', '%_', '=', '+', '@', ':'],
  ...['"', '""', "'", '`', ',', ';', '[', '{', '}', ']', '{"a":', '\u2028', '\u200E', '\u202E', ' Did you mean '],
  // Marks of several classes, and characters that become several of them.
  ...['\u0300', '\u0315', '\u0323', '\u0334', '\u0345', '\u0344', '\u0591', '\u05B0', '\u064B', '\u0F73', '\u0F75'],
  ...[
    '\u0F77',
    '\u0F81',
    '\u0488',
    '\u09BE',
    '\u20DD',
    '\u3099',
    '\uFF9E',
    '\uFF9F',
    '\uFE0F',
    '\u{1D165}',
    '\u{1D16E}',
  ],
  ...['\u0390', '\u1F82', '\u{1D15E}', '\uFDFA', '\uFDFB', '\u3300', '\u2150', '\uFB01', '\u0130', '\u03A3', '\u00DF'],
  ...['\u1100', '\u1161', '\u11A8', '\uAC00', '\uD7A3', '\u6F22', '\u3042', '\u0915\u093F', '\u05D0', '\u0627'],
  ...['\uD83D', '\uDE00', '\u{1F600}', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', '\u{E0001}', '\u200B', '\u00AD'],
];

/** What `npm test` repeats: of each kind of them one. */
const FEW_ATOMS = ['a', ' ', '\n', '\\', '"', '[', '\u0323', '\u{1F600}'];

const LENGTH = 10_000;
const GROWTH = 4;

/** Most functions take less for the longer text, and are not measured again. */
const FEW_MS = 25;

/** Four times as long a text takes four times as long; quadratic time grows by 16. */
const MAX_RATIO = 9;
export const MAX_MS = 400;

export const textOf = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);

/** The CPU time of this thread alone, so that the waiting for other processes does not count. */
async function timeOf(run: TextFunction, text: string): Promise<number> {
  const { user, system } = process.threadCpuUsage();
  try {
    await run(text);
  } catch (error) {
    // A refusal of the text, as a scalar makes it.
    if (!(error instanceof GraphQLError || error instanceof TypeError)) throw error;
  }
  const after = process.threadCpuUsage({ user, system });
  return (after.user + after.system) / 1_000;
}

export async function leastTimeOf(run: TextFunction, text: string): Promise<number> {
  const times = [await timeOf(run, text), await timeOf(run, text), await timeOf(run, text)];
  return Math.min(...times);
}

/** A collection of garbage or another process may fall into all runs of one measurement, but not into this many. */
const MEASUREMENTS = 5;

/** Why the time of a function is not near-linear in the length of its text; null when one measurement says that it is. */
async function growthProblem(run: TextFunction, pattern: string): Promise<string | null> {
  let problem: string | null = null;
  for (let measurement = 0; measurement < MEASUREMENTS; measurement += 1) {
    problem = await measuredProblem(run, pattern);
    if (problem === null) return null;
  }
  return problem;
}

async function measuredProblem(run: TextFunction, pattern: string): Promise<string | null> {
  const long = textOf(pattern, GROWTH * LENGTH);
  if ((await timeOf(run, long)) < FEW_MS) return null;
  const ms = await leastTimeOf(run, long);
  if (ms < FEW_MS) return null;
  if (ms > MAX_MS) return `${Math.round(ms)} ms`;
  const shortMs = await leastTimeOf(run, textOf(pattern, LENGTH));
  return ms > MAX_RATIO * shortMs ? `${Math.round(shortMs)} ms, then ${Math.round(ms)} ms` : null;
}

/**
 * Shows that each function takes a time that is near-linear in the length of its text. A file of the room that normalizes
 * texts, or has an expression that repeats something, must be in one of the two lists.
 */
export function describeTextReaders(room: string, { functions, withoutLongTexts }: TextReaders): void {
  describe.each(Object.entries(functions))(`the functions of texts in ${room}/%s`, (_file, readers) => {
    const tryPatterns = async (examples: readonly string[], more: number) => {
      const pattern = fc
        .array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 4 })
        .map((atoms) => atoms.join(''));
      await fc.assert(
        fc.asyncProperty(pattern, async (repeated) => {
          for (const run of readers) expect([repeated, await growthProblem(run, repeated)]).toEqual([repeated, null]);
        }),
        {
          seed: 33,
          numRuns: examples.length + more,
          examples: examples.map((example): [string] => [example]),
          endOnFailure: true,
        },
      );
    };

    it('take a time that is near-linear in the length', () => tryPatterns(FEW_ATOMS, 0));

    it('take a time that is near-linear in the length, whatever is repeated', { tags: 'long' }, () =>
      tryPatterns(ATOMS, 30),
    );
  });

  it(`are all that read texts in ${room}`, () => {
    const source = join(import.meta.dirname, '../../src', room);
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    // Settings and options are texts of the operator.
    const foreign = files.filter((file) => !/^(?:config|gateway|telemetry)\//u.test(file));
    const repeating = foreign.filter((file) => {
      const code = readFileSync(join(source, file), 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gmu, '');
      return /\.normalize\(|\/(?![/* ])[^\n]*(?:[+*]|\{\d+,\})[^\n]*\/[dgims]*[uv]\b/u.test(code);
    });
    const listed = [...Object.keys(functions), ...withoutLongTexts];
    expect(repeating.filter((file) => !listed.includes(file))).toEqual([]);
    expect(listed.filter((file) => !files.includes(file))).toEqual([]);
  });
}
