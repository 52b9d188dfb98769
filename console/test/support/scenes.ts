import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { readConsoleFiles } from '../../../src/server/console-files.ts';
import { demoKnowledgeBase } from '../../../src/store/import/demo-knowledge-base.ts';
import { openLocalBackend } from '../../../src/store/local-backend.ts';
import { launchChromium, NEEDS_CHROMIUM } from '../../../test/support/chromium.ts';
import {
  type Behaviour,
  type FaultyService,
  forwardedTo,
  openFaultyService,
} from '../../../test/support/faulty-service.ts';
import { type Gateway, startGateway } from '../../../test/support/gateway.ts';
import { openBackendTo } from '../../../test/support/rest-scene.ts';
import { type ConsolePage, openConsole, rowOf } from './console-page.ts';

export const TOKEN = 'kbg_of-this-test';

/** The console over the demo knowledge base, anew for each test. */
export interface Scene {
  readonly gateway: Gateway;
  readonly page: Page;
  /** Has the service do what the next call of this route asks for, and cut the connection then; or behave like that. The store has no service. */
  cutNext(route: string, behaviour?: Behaviour): void;
  /** The answer of the gateway to a query of a test. */
  ask(query: string, variables?: object): Promise<unknown>;
}

interface Opened {
  readonly gateway: Gateway;
  readonly service: FaultyService | null;
  readonly forward: Behaviour | null;
  close(): Promise<void>;
}

async function openDemo(databaseUrl: string) {
  const backend = await openLocalBackend({ databaseUrl, apiTokens: [TOKEN], log: silentLog });
  await backend.importKnowledgeBase(demoKnowledgeBase, () => {});
  const gateway = await startGateway({ backend, local: true, token: TOKEN, readConsole: readConsoleFiles });
  return { backend, gateway };
}

async function openStore(): Promise<Opened> {
  const { gateway } = await openDemo('sqlite::memory:');
  return { gateway, service: null, forward: null, close: gateway.close };
}

/** The REST side of a gateway with a store is the service of another gateway, through a server that can cut connections. */
async function openService(): Promise<Opened> {
  const store = await openStore();
  const service = await openFaultyService();
  const forward = forwardedTo(store.gateway.url);
  service.onAny(forward);
  const backend = openBackendTo(service);
  const gateway = await startGateway({ backend, local: false, token: TOKEN, readConsole: readConsoleFiles });
  const close = async () => {
    await gateway.close();
    await service.close();
    await store.close();
  };
  return { gateway, service, forward, close };
}

/** Forwards a request, and cuts the connection instead of passing the answer on. */
const cutAfter =
  (forward: Behaviour): Behaviour =>
  async (response, request) => {
    const { socket } = response;
    response.writeHead = () => response;
    response.end = () => response;
    await forward(response, request);
    socket?.resetAndDestroy();
  };

/** Runs the tests over the store and over a service that cuts connections. */
export function describeOverBoth(name: string, tests: (scene: () => Scene, isService: boolean) => void): void {
  describe.each([
    ['the store', openStore],
    ['a service that cuts connections', openService],
  ] as const)(`${name} over %s`, NEEDS_CHROMIUM, (_name, open) => {
    let browser: Browser;
    let opened: Opened;
    let console: ConsolePage;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      opened = await open();
      console = await openConsole(browser, opened.gateway.url, `#token=${TOKEN}`);
      await rowOf(console.page, 'pair-a-lamp').waitFor();
    });
    afterEach(async () => {
      expect(console.troubles).toEqual([]);
      await console.page.close();
      await opened.close();
    });
    const scene = (): Scene => ({
      gateway: opened.gateway,
      page: console.page,
      cutNext: (route, behaviour) => {
        const { service, forward } = opened;
        if (service && forward) service.on(route, behaviour ?? cutAfter(forward), forward);
      },
      ask: async (query, variables) => (await opened.gateway.send(query, variables)).body.data,
    });
    tests(scene, open === openService);
  });
}

export type StoreScene = Awaited<ReturnType<typeof openDemo>> & {
  /** Has the file of the store, `kb.db`. */
  readonly folder: string;
  readonly page: Page;
};

/** Runs the tests over a store in a file. What the page's policy refuses may be `expected`. */
export function describeOverStore(
  name: string,
  tests: (scene: () => StoreScene) => void,
  expected: RegExp = /^$/u,
): void {
  describe(name, NEEDS_CHROMIUM, () => {
    let browser: Browser;
    let scene: StoreScene;
    let console: ConsolePage;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-console-'));
      const demo = await openDemo(`sqlite:${join(folder, 'kb.db')}`);
      console = await openConsole(browser, demo.gateway.url, `#token=${TOKEN}`);
      scene = { ...demo, folder, page: console.page };
      await rowOf(scene.page, 'pair-a-lamp').waitFor();
    });
    afterEach(async () => {
      expect(console.troubles.filter((trouble) => !expected.test(trouble))).toEqual([]);
      await scene.page.close();
      await scene.gateway.close();
      await rm(scene.folder, { recursive: true });
    });
    tests(() => scene);
  });
}
