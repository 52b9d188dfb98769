import { spawnSync } from 'node:child_process';

// Runs every command of the arguments, one after another, also after one that fails, and names those that failed at the end.

const failed = process.argv
  .slice(2)
  .filter((command) => spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0);

for (const command of failed) console.error(`failed: ${command}`);
if (failed.length > 0) process.exitCode = 1;
