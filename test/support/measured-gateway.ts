import { expect, onTestFinished } from 'vitest';
import { type RunningGateway, startGatewayProcess } from './process.ts';
import { parseMetricsPage, type Sample } from './scrape.ts';

interface MeasuredGateway extends RunningGateway {
  readonly metricsUrl: string;
  page(): Promise<string>;
  scrape(): Promise<readonly Sample[]>;
}

/** Starts `serve` with metrics on a free port. It is killed after the test. */
export async function startMeasuredGateway(
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredGateway> {
  const gateway = await startGatewayProcess({ cwd, settings: { METRICS_PORT: '0', ...settings } });
  onTestFinished(async () => void (await gateway.stop('SIGKILL')));
  const port = () => /"metrics are served".*?"port":(\d+)/u.exec(gateway.log() + gateway.printed())?.[1];
  await expect.poll(port).toBeDefined();
  const metricsUrl = `http://127.0.0.1:${port()}/metrics`;
  const page = async () => (await fetch(metricsUrl)).text();
  return { ...gateway, metricsUrl, page, scrape: async () => parseMetricsPage(await page()) };
}
