import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { portOf } from './ports.ts';

interface Export {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** A collector that takes OTLP over HTTP, or one that never responds. */
export async function openCollector(responds = true) {
  const exports: Export[] = [];
  const server = createServer(async (request, response) => {
    exports.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    const type = request.headers['content-type'];
    if (responds) response.writeHead(200, { 'content-type': type }).end(type === 'application/json' ? '{}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, exports, spans: () => exports.flatMap(spansOf) };
}

/** A collector that takes OTLP over gRPC, and answers each export with an empty message. */
export async function openGrpcCollector() {
  const exports: Export[] = [];
  const server = createHttp2Server(async (request, response) => {
    exports.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/grpc' });
    response.addTrailers({ 'grpc-status': '0' });
    response.end(Buffer.alloc(5));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${portOf(server.address())}`, exports };
}

function spansOf({ path, body }: Export): readonly ExportedSpan[] {
  if (path !== '/v1/traces') return [];
  const { resourceSpans }: { resourceSpans: readonly { scopeSpans: readonly { spans: ExportedSpan[] }[] }[] } =
    JSON.parse(body);
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
