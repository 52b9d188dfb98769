import { resolve } from 'node:path';

/** A module that starts an SDK of OpenTelemetry from other packages than those of the gateway. It prints each span. */
export const OTHER_SDK = `
import { createRequire } from 'node:module';
const { NodeSDK, tracing } = createRequire('${resolve('package.json')}')('@opentelemetry/sdk-node');
const spanProcessors = [new tracing.SimpleSpanProcessor(new tracing.ConsoleSpanExporter())];
new NodeSDK({ spanProcessors, metricReaders: [], logRecordProcessors: [], autoDetectResources: false }).start();
`;
