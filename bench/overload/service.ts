import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { portOf } from '../../test/support/ports.ts';
import { type Message, MessageReader } from '../harness/message-reader.ts';
import { ItemCounts } from './item-counts.ts';
import type { Ledger } from './ledger.ts';
import { isMissing, itemOf, titleOf } from './mix.ts';

/** A service that keeps what it got. Each call is answered after `latencyMs`. */
export interface LedgerService extends Ledger, AsyncDisposable {
  readonly url: string;
}

const NO_PROBLEM = { success: true, errors: [], warnings: [], information: [], extension_data: null };
const ARTICLE_PATH = /^GET \/v2\/Articles\/([^/?]+)\/en\?/u;

export async function openLedgerService(latencyMs: number): Promise<LedgerService> {
  const titles = new Map<string, string>();
  const timesSent = new ItemCounts();
  const sockets = new Set<Socket>();

  const update = ({ article_id, title }: SentItem) => {
    const item = itemOf(title);
    timesSent.set(item, timesSent.at(item) + 1);
    const success = !isMissing(article_id);
    if (success) titles.set(article_id, title);
    return { article_id, success, details: success ? null : 'The article does not exist.' };
  };

  const dataOf = ({ startLine, body }: Message): unknown => {
    if (startLine.startsWith('PUT /v2/Articles/bulkupdate ')) return itemsOf(body).map(update);
    const id = ARTICLE_PATH.exec(startLine)?.[1];
    if (id !== undefined) return articleOf(id);
    if (startLine.startsWith('GET /v2/ProjectVersions ')) return [];
    throw new Error(`The service got an unknown call: ${startLine}`);
  };

  const server = createServer((socket) => {
    const reader = new MessageReader();
    sockets.add(socket.setNoDelay(true).on('error', () => {}));
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      const call = reader.push(chunk);
      if (call === null) return;
      const response = responseBytes({ data: dataOf(call), ...NO_PROBLEM });
      if (latencyMs === 0) socket.write(response);
      else setTimeout(() => socket.write(response), latencyMs);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    titles: async () => titles,
    timesSent: (item) => timesSent.at(item),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

interface SentItem {
  readonly article_id: string;
  readonly title: string;
}

const itemsOf = (body: Buffer): readonly SentItem[] => JSON.parse(body.toString());

const articleOf = (id: string) => ({
  id,
  title: titleOf(id),
  language_code: 'en',
  project_version_id: 'version-1',
  category_id: 'category-1',
  version_number: 1,
  latest_version: 1,
  hidden: false,
  order: 1,
  content: 'Open **Settings → Agents**, choose the agent, and select *Renew*.',
});

function responseBytes(body: object): Buffer {
  const payload = Buffer.from(JSON.stringify(body));
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), payload]);
}
