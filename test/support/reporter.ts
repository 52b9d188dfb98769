import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const FAILURES_SHOWN = 12;
const MESSAGE_LENGTH = 240;

/**
 * Ends the run with one line that people and scripts can count on: `N passed, N failed, N skipped`. A file that cannot
 * be loaded, a hook that fails and an error outside of any test count as failed, so the line never tells of a success that was none.
 * Before it stand the first failures, a line each: of a long log often only the end is kept.
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
    // The other reporters have more to say until the process ends.
    process.once('exit', () => {
      // What stops PostgreSQL when the process ends would end it with 0, whatever the tests came to.
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
