import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Behaviour, forwardedTo, openFaultyService } from './faulty-service.ts';
import { type RunningGateway, runGateway, startGatewayProcess } from './process.ts';

/** A project version in English and French, without articles. */
const KNOWLEDGE_BASE = {
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: ['en', 'fr'].map((code) => ({ code, name: code, is_default: code === 'en', project_version_id: 'v1' })),
};

interface FolderServiceOptions {
  /** What the service makes of a call that the store would answer. */
  readonly behaviourOf?: (forwarded: Behaviour) => Behaviour;
  readonly settings?: Readonly<Record<string, string>>;
}

export type FolderService = Awaited<ReturnType<typeof openFolderService>>;

/** A folder of Markdown, a service without articles (a store behind its façade), and a gateway in front of it. */
export async function openFolderService({ behaviourOf = (forwarded) => forwarded, settings }: FolderServiceOptions) {
  const root = await mkdtemp(join(tmpdir(), 'kb-gateway-folder-service-'));
  await Promise.all(['store', 'rest'].map((name) => mkdir(join(root, name))));
  await writeFile(join(root, 'kb.json'), JSON.stringify(KNOWLEDGE_BASE));
  const { code, stderr } = await runGateway(['import', '../kb.json'], { cwd: join(root, 'store') });
  if (code !== 0) throw new Error(stderr);
  const store = await startGatewayProcess({ cwd: join(root, 'store') });
  const service = await openFaultyService();
  service.onAny(behaviourOf(forwardedTo(new URL(store.url).origin)));
  const startGateway = () =>
    startGatewayProcess({ cwd: join(root, 'rest'), settings: { UPSTREAM_URL: service.url, ...settings } });
  let gateway: RunningGateway = await startGateway();
  return {
    docs: join(root, 'docs'),
    service,
    token: store.token,
    async restartGateway() {
      await gateway.stop();
      gateway = await startGateway();
    },
    run: (...args: readonly string[]) =>
      runGateway(args, { cwd: root, settings: { KB_API_TOKEN: store.token, KB_GATEWAY_URL: gateway.url } }),
    /** Writes a page for each number in a language, in three folders. */
    async writePages(language: string, count: number, text = 'Text.') {
      for (let index = 0; index < count; index += 1) {
        const path = join(root, 'docs', language, `guides/part-${index % 3}`, `page-${index}.md`);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, `# ${language} ${index}\n\n${text}\n`);
      }
    },
    async close() {
      await gateway.stop();
      await service.close();
      await store.stop();
      await rm(root, { recursive: true });
    },
  };
}
