import { REQUEST_METRICS } from './request-metrics.ts';
import { RUNTIME_METRICS } from './runtime-metrics.ts';
import { SERVICE_METRICS } from './service-metrics.ts';

/**
 * All metrics. Together they have at most 500 series: a histogram has three series besides one for each boundary, and
 * `AttributeSets` bounds the sets of attributes.
 */
export const METRICS = { ...REQUEST_METRICS, ...SERVICE_METRICS, ...RUNTIME_METRICS };

export type MetricKey = keyof typeof METRICS;
