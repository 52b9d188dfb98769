import { readFileSync, writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { onQuestion } from './rpc.ts';

// Loaded into every process under measurement, before its own code (`node --import`). Does nothing until it is asked.

/** How finely the event loop and the stack are sampled. */
const LAG_RESOLUTION_MS = 1;
const PROFILE_INTERVAL_MICROS = 250;

const milliseconds = (nanoseconds: number) => nanoseconds / 1e6;

/** `ru_maxrss` is no use: on Linux it begins with what the parent held at the fork. */
function peakRssBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const line = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

function answerLag(): void {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | null = null;
  onQuestion('startLag', () => {
    histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    histogram.enable();
    return null;
  });
  onQuestion('stopLag', () => {
    histogram?.disable();
    const at = (percent: number) => milliseconds(histogram?.percentile(percent) ?? 0);
    return { p50: at(50), p99: at(99), max: at(100) };
  });
}

function answerProfile(): void {
  let session: Session | null = null;
  onQuestion('startProfile', async () => {
    const inspector = await import('node:inspector/promises');
    session = new inspector.Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL_MICROS });
    await session.post('Profiler.start');
    return null;
  });
  onQuestion('stopProfile', async (file) => {
    const stopped = await session?.post('Profiler.stop');
    session?.disconnect();
    writeFileSync(file, JSON.stringify(stopped?.profile));
    return null;
  });
}

if (isMainThread && process.send) {
  onQuestion('usage', () => {
    const { user, system } = process.cpuUsage();
    return { cpuMicros: user + system, peakRssBytes: peakRssBytes() };
  });
  answerLag();
  answerProfile();
  // The gateway ends when it has nothing left to do, as it would without us.
  process.channel?.unref();
}
