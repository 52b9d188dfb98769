import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { ATTR_SERVICE_INSTANCE_ID, ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';

/** What all telemetry says of its origin. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
export const createServiceResource = (version: string): Resource =>
  resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'kb-gateway', [ATTR_SERVICE_VERSION]: version }).merge(
    detectResources({ detectors: [envDetector] }),
  );

/**
 * Adds what exports must have: an ID that tells several gateways apart, and the name of the SDK. Scraped
 * metrics have the address of their origin instead.
 */
export const createExportResource = (service: Resource): Resource =>
  defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_INSTANCE_ID]: randomUUID() }))
    .merge(service);
