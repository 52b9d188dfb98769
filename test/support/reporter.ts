import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends the run with one line that people and scripts can count on: `N passed, N failed, N skipped`. A file that cannot
 * be loaded, a hook that fails and an error outside of any test count as failed, so the line never tells of a success that was none.
 */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const suite of [module, ...module.children.allSuites()]) count.failed += suite.errors().length;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
    }
    const line = `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`;
    // The other reporters have more to say until the process ends.
    process.once('exit', () => {
      // What stops PostgreSQL when the process ends would end it with 0, whatever the tests came to.
      if (count.failed > 0) process.exitCode = 1;
      process.stdout.write(line);
    });
  }
}
