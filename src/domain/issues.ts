import type { InputIssue } from './errors.ts';

/** Lets others in for a moment. */
export type Pause = () => Promise<void>;

/** Some 5 ms. */
const ISSUES_AT_A_TIME = 5_000;

/** All that is wrong with an input, found with pauses: a list may be wrong at each of 50,000 places. */
export async function collectIssues(found: Iterable<InputIssue>, pause: Pause): Promise<readonly InputIssue[]> {
  const issues: InputIssue[] = [];
  for (const issue of found) {
    issues.push(issue);
    if (issues.length % ISSUES_AT_A_TIME === 0) await pause();
  }
  return issues;
}
