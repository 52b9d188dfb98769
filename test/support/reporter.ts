import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const FAILURES_SHOWN = 12;
const MESSAGE_LENGTH = 240;

/**
 * Ends the run with one line for people and scripts: `N passed, N failed, N skipped`. A file that cannot be loaded, a
 * hook that fails and an error outside of any test count as failed, so that the line never reports a success wrongly.
 * The first failures stand before it, one on each line, since often only the end of a long log is kept.
 */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) count.failed += suite.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const failures = [...errors.map(({ message }) => message), ...modules.flatMap(failuresOf)];
    const shown = failures.slice(0, FAILURES_SHOWN).map((failure) => `failed: ${inOneLine(failure)}\n`);
    const line = `${shown.join('')}${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`;
    // The other reporters print until the process ends.
    process.once('exit', () => {
      // Stopping PostgreSQL at the end of the process would set the exit code to 0.
      if (count.failed > 0) process.exitCode = 1;
      process.stdout.write(line);
    });
  }
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
