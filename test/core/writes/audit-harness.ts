import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import type { Log } from '../../../src/core/base/log.ts';
import type { AuditRecord } from '../../../src/core/writes/audit.ts';
import { type PipelineOptions, withPipeline } from '../../../src/core/writes/pipeline.ts';
import { createAuditFile } from '../../../src/server/process/audit-log.ts';

export interface Audited {
  readonly backend: Backend;
  readonly path: string;
  /** The lines of the gateway's own log. */
  readonly logged: readonly { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  records(): Promise<readonly AuditRecord[]>;
}

/** The lines that the audit log misses, joined from their parts in the gateway's own log. */
export function missingLines({ logged }: Audited): readonly unknown[] {
  const lines: string[] = [];
  for (const { message, fields } of logged) {
    if (message !== 'the audit log misses a line') continue;
    if (fields['part'] === 1) lines.push('');
    lines.push(`${lines.pop()}${fields['line']}`);
  }
  return lines.map((line) => JSON.parse(line));
}

/** The backend behind a pipeline with an audit log of its own, which is removed after the test. */
export async function openAudited(
  backend: Backend,
  failureMode: 'closed' | 'open' = 'closed',
  others: Omit<PipelineOptions, 'audit'> = {},
): Promise<Audited> {
  const directory = await mkdtemp(join(tmpdir(), 'kb-gateway-audit-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'audit.jsonl');
  const logged: { message: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const log: Log = (_level, message, fields = {}) => logged.push({ message, fields });
  return {
    backend: withPipeline(backend, { ...others, audit: { append: createAuditFile(path), failureMode, log } }),
    path,
    logged,
    records: () => recordsIn(path),
  };
}

export async function recordsIn(path: string): Promise<readonly AuditRecord[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
