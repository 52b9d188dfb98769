import { context, propagation, trace } from '@opentelemetry/api';
import { core, tracing } from '@opentelemetry/sdk-node';

export type RecordedSpan = tracing.ReadableSpan;

/** Registers a provider of this process that keeps all spans; `sampled: false` records none. */
export function recordSpans({ sampled = true } = {}) {
  const exporter = new tracing.InMemorySpanExporter();
  const provider = new tracing.BasicTracerProvider({
    spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
    ...(!sampled && { sampler: new tracing.AlwaysOffSampler() }),
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  return {
    tracer: trace.getTracer('test'),
    spans: (): readonly RecordedSpan[] => exporter.getFinishedSpans(),
    reset: () => exporter.reset(),
    close: async () => {
      await provider.shutdown();
      trace.disable();
      propagation.disable();
      context.disable();
    },
  };
}
