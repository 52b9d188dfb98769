import { readFileSync } from 'node:fs';
import { keepHeapSmall } from '../../src/cli/small-heap.ts';
import { ok } from '../../src/core/base/result.ts';

// Reads a file or a folder as a command does, and prints the most memory that the process had, in MB, and the result.

const [kind = '', path = ''] = process.argv.slice(2);

/** Loads only what the command of the kind would load, since the modules count, too. */
async function read() {
  if (kind === 'kb') {
    const { readKnowledgeBaseFile } = await import('../../src/store/knowledge-base/file.ts');
    return readKnowledgeBaseFile(path);
  }
  if (kind === 'folder') {
    const { readFolder } = await import('../../src/cli/folder/read-folder.ts');
    return ok(readFolder(path, { include: [], exclude: [], languages: ['en'], now: new Date() }));
  }
  const { readInput } = await import('../../src/cli/bulk-update/input-rows.ts');
  return readInput(path, { format: kind === 'csv' ? 'csv' : kind === 'json' ? 'json' : 'ndjson', mapping: new Map() });
}

/** Linux counts the memory of the parent, at the time of the fork, into `maxRSS`. */
function mostKibibytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes);
}

keepHeapSmall();
const result = await read();
const megabytes = (mostKibibytes() * 1024) / 1e6;
process.stdout.write(JSON.stringify({ megabytes, result: result.ok ? 'read' : result.error.slice(0, 300) }));
