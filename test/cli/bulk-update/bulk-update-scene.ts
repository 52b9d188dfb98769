import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway } from '../../support/process.ts';
import { GATEWAY_TOKEN, type JobGateway, openJobGateway } from './job-gateway.ts';

/** A folder for files, and a gateway that the command updates articles at. */
export interface BulkUpdateScene {
  readonly folder: string;
  readonly gateway: JobGateway;
  readonly settings: Readonly<Record<string, string>>;
  /** Runs the command in the folder. */
  update(...args: readonly string[]): ReturnType<typeof runGateway>;
  close(): Promise<void>;
}

export async function openBulkUpdateScene(): Promise<BulkUpdateScene> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-bulk-update-test-'));
  const gateway = await openJobGateway();
  const settings = { KB_API_TOKEN: GATEWAY_TOKEN, KB_GATEWAY_URL: gateway.url };
  return {
    folder,
    gateway,
    settings,
    update: (...args) => runGateway(['bulk-update', ...args], { cwd: folder, settings }),
    close: async () => {
      await gateway.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Three rows, of which the second fails. */
export const THREE = 'articleId,title\na,A\nmissing-b,"B, b"\nc,C\n';
