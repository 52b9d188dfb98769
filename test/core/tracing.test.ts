import { ROOT_CONTEXT, type Span, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { expect, it, onTestFinished } from 'vitest';
import { mergeTraces, startSpan } from '../../src/core/tracing.ts';
import { recordSpans } from '../support/span-recorder.ts';

const traceOf = (span: Span) => ({ span, parentContext: ROOT_CONTEXT });

it('the span of a merged call has links to the first 128 of its requests', () => {
  const recorder = recordSpans();
  onTestFinished(recorder.close);
  const requests = Array.from({ length: 130 }, () => traceOf(recorder.tracer.startSpan('request')));
  const description = { name: 'call', kind: SpanKind.CLIENT, attributes: () => ({}) };
  startSpan(recorder.tracer, mergeTraces(requests), description)?.end();
  const [call] = recorder.spans();
  const expected = requests.slice(0, 128).map(({ span }) => span.spanContext());
  expect(call?.links.map(({ context }) => context)).toEqual(expected);
});

it('the span of a merged call has no link to a request that is not recorded', () => {
  const recorder = recordSpans();
  onTestFinished(recorder.close);
  const recorded = traceOf(recorder.tracer.startSpan('request'));
  const spanContext = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: TraceFlags.NONE };
  const unsampled = traceOf(trace.wrapSpanContext(spanContext));
  const description = { name: 'call', kind: SpanKind.CLIENT, attributes: () => ({}) };
  startSpan(recorder.tracer, mergeTraces([unsampled, null, recorded]), description)?.end();
  const [call] = recorder.spans();
  expect(call?.links.map(({ context }) => context)).toEqual([recorded.span.spanContext()]);
});
