import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { NodeSDK } from '@opentelemetry/sdk-node';

/**
 * Registers the tracer and the propagators of the standard variables with `@opentelemetry/api`. Returns a function that
 * exports the rest and ends them.
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

/** Contexts are passed with the callers. The SDK's context manager would cost time at each promise. */
const NO_CONTEXT: ContextManager = {
  active: () => ROOT_CONTEXT,
  with: (...[, callback, thisArgument, ...args]) => callback.apply(thisArgument, args),
  bind: <T>(_context: Context, target: T) => target,
  enable: () => NO_CONTEXT,
  disable: () => NO_CONTEXT,
};
