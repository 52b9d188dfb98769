import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Registers the tracer and the propagators that the standard variables describe with `@opentelemetry/api`. Returns what
 * exports the rest and ends that.
 */
export function startTraces(resource: Resource): () => Promise<void> {
  const sdk = new NodeSDK({
    resource,
    // The resource has all attributes already.
    autoDetectResources: false,
    contextManager: NO_CONTEXT,
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return () => sdk.shutdown();
}

/** Contexts travel with the callers. The manager of the SDK would cost time at each promise. */
const NO_CONTEXT: ContextManager = {
  active: () => ROOT_CONTEXT,
  with: (...[, callback, thisArgument, ...args]) => callback.apply(thisArgument, args),
  bind: <T>(_context: Context, target: T) => target,
  enable: () => NO_CONTEXT,
  disable: () => NO_CONTEXT,
};
