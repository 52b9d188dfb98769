import { createServer, type IncomingHttpHeaders } from 'node:http';
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

/** A collector that takes OTLP as JSON, or one that never responds. */
export async function openCollector(responds = true) {
  const exports: Export[] = [];
  const server = createServer(async (request, response) => {
    exports.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    if (responds) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server.address())}`, exports, spans: () => exports.flatMap(spansOf) };
}

function spansOf({ path, body }: Export): readonly ExportedSpan[] {
  if (path !== '/v1/traces') return [];
  const { resourceSpans }: { resourceSpans: readonly { scopeSpans: readonly { spans: ExportedSpan[] }[] }[] } =
    JSON.parse(body);
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
