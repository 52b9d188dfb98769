import { createServer, type Socket } from 'node:net';
import { readResponseBody } from '../reads/service-responses.ts';
import { sharedNow } from './clock.ts';
import { type Message, MessageReader } from './message-reader.ts';
import { handleMethod, type ServiceCall } from './rpc.ts';

// Stands in for the service: answers both writes, the read of a group and what the queries read with valid envelopes
// after UPSTREAM_LATENCY_MS. It parses only the article IDs of a body and uses bare sockets, so that it costs far less than
// any gateway.

const latencyMs = Number(process.env['UPSTREAM_LATENCY_MS'] ?? 0);
let calls = 0;
/** Null until calls are recorded. */
let recorded: ServiceCall[] | null = null;

const GROUP_UPDATED =
  '{"result":false,"extension_data":null,"success":true,"errors":null,"warnings":null,"information":null}';
const GROUP =
  '{"result":{"reader_group_id":"g","title":"Field staff","description":null,"associated_readers":[],"access_scope":{"access_level":3,"categories":[],"project_versions":[],"languages":[]},"associated_invited_sso_users":[]},"extension_data":null,"success":true,"errors":null,"warnings":null,"information":null}';

function responseBodyFor({ startLine, body }: Message): string {
  if (startLine.startsWith('PUT /v2/Articles/bulkupdate ')) return bulkResponseBody(body.toString('latin1'));
  if (startLine.startsWith('PUT /v2/Readers/groups/')) return GROUP_UPDATED;
  if (startLine.startsWith('GET /v2/Readers/groups/')) return GROUP;
  const read = startLine.startsWith('GET ') ? readResponseBody(startLine.split(' ', 2)[1] ?? '') : null;
  if (read !== null) return read;
  throw new Error(`The upstream received an unknown request: ${startLine}`);
}

const ID_MEMBER = '"article_id":"';

function bulkResponseBody(body: string): string {
  const results = articleIdsIn(body).map(
    (id) => `{"article_id":"${id}","success":true,"details":"The article ${id} was updated."}`,
  );
  return `{"data":[${results}],"extension_data":null,"success":true,"errors":[],"warnings":[],"information":[]}`;
}

function articleIdsIn(body: string): readonly string[] {
  const ids: string[] = [];
  for (let found = body.indexOf(ID_MEMBER); found >= 0; found = body.indexOf(ID_MEMBER, found)) {
    const start = found + ID_MEMBER.length;
    found = body.indexOf('"', start);
    ids.push(body.slice(start, found));
  }
  return ids;
}

/** The call as it is recorded when it is answered. */
function callOf({ startLine, head, body }: Message, receivedAt: number): ServiceCall {
  const isBulkUpdate = startLine.startsWith('PUT /v2/Articles/bulkupdate ');
  const [, , , ...segments] = (startLine.split(' ', 2)[1] ?? '').split('?', 1)[0]?.split('/') ?? [];
  return {
    token: /\r\napi_token: *([^\r]*)/u.exec(head)?.[1] ?? '',
    subjects: isBulkUpdate ? articleIdsIn(body.toString('latin1')) : segments,
    isBulkUpdate,
    receivedAt,
    answeredAt: sharedNow(),
  };
}

function serve(socket: Socket): void {
  const reader = new MessageReader();
  const send = (body: string) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      'latin1',
    );
  };
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    const message = reader.push(chunk);
    if (!message) return;
    const receivedAt = recorded === null ? 0 : sharedNow();
    calls += 1;
    const responseBody = responseBodyFor(message);
    const answer = () => {
      recorded?.push(callOf(message, receivedAt));
      send(responseBody);
    };
    if (latencyMs === 0) answer();
    else setTimeout(answer, latencyMs);
  });
}

handleMethod('calls', () => calls);
handleMethod('recordedCalls', () => {
  const since = recorded ?? [];
  recorded = [];
  return since;
});
createServer(serve).listen(Number(process.env['PORT']), '127.0.0.1');
