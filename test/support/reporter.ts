import { existsSync } from 'node:fs';
import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node';

const FAILURES_SHOWN = 12;
const MESSAGE_LENGTH = 240;
const NO_INTEGRATIONS = 'skipped: all tests in integrations/test, since npm ci --prefix integrations has not run';

/**
 * Ends the run with one line for people and scripts: `N passed, N failed, N skipped`. A file that cannot be loaded, a
 * hook that fails and an error outside of any test count as failed, so that the line never reports a success wrongly.
 * Before it stand why tests were skipped and the first failures, one on each line, since often only the end of a long
 * log is kept.
 */
export class CountReporter implements Reporter {
  #vitest: Vitest | null = null;
  #hasAllFiles = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const all = (await this.#vitest?.globTestSpecifications()) ?? [];
    this.#hasAllFiles = specifications.length === all.length;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const all = modules.flatMap((module) => [...module.children.allTests()]);
    const ofOtherNames = all.filter(isOfOtherName);
    const leftOut = all.filter((test) => isLeftOut(test) && !isOfOtherName(test));
    const tests = all.filter((test) => !isLeftOut(test) && !isOfOtherName(test));
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules)
      for (const suite of [module, ...module.children.allSuites()]) count.failed += suite.errors().length;
    for (const test of tests) count[test.result().state] += 1;
    const failures = [...errors.map(({ message }) => message), ...modules.flatMap(failuresOf)];
    const lines = [
      ...skipsOf(tests),
      ...(this.#hasAllFiles && !existsSync('integrations/node_modules') ? [NO_INTEGRATIONS] : []),
      ...(ofOtherNames.length > 0 ? [`left out: ${ofOtherNames.length} tests of other names`] : []),
      ...(leftOut.length > 0 ? [`left out: ${leftOut.length} tests that take long, which npm run test:all runs`] : []),
      ...failures.slice(0, FAILURES_SHOWN).map((failure) => `failed: ${inOneLine(failure)}`),
      `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`,
    ];
    // The other reporters print until the process ends.
    process.once('exit', () => {
      // Stopping PostgreSQL at the end of the process would set the exit code to 0.
      if (count.failed > 0) process.exitCode = 1;
      process.stdout.write(`${lines.join('\n')}\n`);
    });
  }
}

/** True for a test that takes long in a run of the others, which has none of the files that take long either. */
const isLeftOut = (test: TestCase): boolean =>
  test.tags.includes('long') && test.project.config.tagsFilter !== undefined && test.result().state === 'skipped';

/** True for a test that a filter of names has left out. */
const isOfOtherName = (test: TestCase): boolean =>
  test.project.config.testNamePattern !== undefined &&
  test.result().state === 'skipped' &&
  skipReasonOf(test) === undefined;

/** A line for each reason to skip tests, with their number and their files. */
function skipsOf(tests: readonly TestCase[]): readonly string[] {
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  const byReason = Map.groupBy(skipped, (test) => skipReasonOf(test) ?? 'no reason is given');
  return [...byReason].map(([reason, ofReason]) => {
    const files = new Set(ofReason.map(({ module }) => module.relativeModuleId));
    return `skipped: ${ofReason.length} of the tests in ${[...files].join(', ')}, since ${reason}`;
  });
}

/** The reason of a test, or of a suite around it. */
function skipReasonOf(test: TestCase): string | undefined {
  for (let task: TestCase | TestSuite | TestModule = test; task.type !== 'module'; task = task.parent) {
    const { skipReason } = task.meta();
    if (skipReason !== undefined) return skipReason;
  }
  return undefined;
}

function failuresOf(module: TestModule): string[] {
  const suites = [module, ...module.children.allSuites()];
  const ofSuites = suites.flatMap((suite) =>
    suite.errors().map(({ message }) => `${module.relativeModuleId} ${message}`),
  );
  const ofTests = [...module.children.allTests('failed')].map(
    (test) => `${module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message}`,
  );
  return [...ofSuites, ...ofTests];
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').slice(0, MESSAGE_LENGTH);
