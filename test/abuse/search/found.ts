import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Breach } from '../measure/bounds.ts';
import type { Cost } from '../measure/measured-gateway.ts';
import type { AbuseRequest } from '../measure/request.ts';
import type { TargetName } from '../targets/targets.ts';

/** A request that is kept, with all that is needed to send it again. */
export interface Found {
  readonly what: string;
  readonly breaches: readonly Breach[];
  readonly target: TargetName;
  readonly isKnown: boolean;
  readonly cost: Cost;
  readonly status: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** The earlier writes that it needs to have its effect. */
  readonly before: readonly AbuseRequest[];
  readonly request: AbuseRequest;
}

/** Writes the request to a new file in the folder, and returns its path. */
export async function keep(folder: string, name: string, found: Found): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name.replace(/[^\w.-]+/gu, '-').slice(0, 100)}.json`);
  await writeFile(file, JSON.stringify(found));
  return file;
}

export async function readFound(file: string): Promise<Found> {
  const found: Found = JSON.parse(await readFile(file, 'utf8'));
  return found;
}
