/* What the commands say that print the figures of the docs. */

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Ends the command with 1, and says why, where something is not as it must be. */
export function require(what: string, isSo: boolean): void {
  if (isSo) return;
  print(`FAILED: ${what}`);
  process.exitCode = 1;
}
