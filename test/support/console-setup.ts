import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Builds the console where it is missing or older than its sources, before tests side by side read it. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/console-page.ts']);
}
