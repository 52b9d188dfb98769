/* The output of the commands that print the figures of the docs. */

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Reports a failure, and makes the command end with 1, when the condition is false. */
export function require(what: string, condition: boolean): void {
  if (condition) return;
  print(`FAILED: ${what}`);
  process.exitCode = 1;
}
