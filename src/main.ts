#!/usr/bin/env node

import { join } from 'node:path';
import { nodeProblem } from './core/base/needed-node.ts';

// Each Node since 14.8 can read this file and say that it is too old: what it cannot read is imported later.
if (nodeProblem !== null) {
  process.stderr.write(`${nodeProblem}\n`);
  process.exitCode = 1;
} else {
  // Set before graphql-js is loaded: otherwise its checks for development take a tenth of the time of an execution.
  if (process.env['NODE_ENV'] === undefined) process.env['NODE_ENV'] = 'production';
  // Compiled, the next start takes the bytecode of this one. Whoever can write to that folder can change the code itself;
  // where the gateway cannot, it goes on without.
  const { enableCompileCache } = await import('node:module');
  if (import.meta.filename.endsWith('.js')) enableCompileCache(join(import.meta.dirname, '../.compile-cache'));
  const { runCommandLine } = await import('./cli/commands.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
}
