import { isSpanContextValid, type Tracer, trace } from '@opentelemetry/api';

/** The tracer of the registered SDK; null where none is, so that nothing is done for spans that nobody gets. */
export function openTracer(): Tracer | null {
  const tracer = trace.getTracer('kb-gateway');
  // A span that is not ended is not exported. Without an SDK it has no ID.
  return isSpanContextValid(tracer.startSpan('start', { root: true }).spanContext()) ? tracer : null;
}
