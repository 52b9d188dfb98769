import { readFileSync, writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { handleMethod } from './rpc.ts';

// Loaded into every target before its own code (`node --import`). Does nothing until one of its methods is called.

/** The sampling intervals of the event loop and of the stack. */
const LAG_RESOLUTION_MS = 1;
const PROFILE_INTERVAL_MICROS = 250;

const milliseconds = (nanoseconds: number) => nanoseconds / 1e6;

/** `ru_maxrss` is not used on Linux, where it starts with the value of the parent at the fork. */
function peakRssBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const line = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}

function handleLag(): void {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | null = null;
  handleMethod('startLag', () => {
    histogram = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
    histogram.enable();
    return null;
  });
  handleMethod('stopLag', () => {
    histogram?.disable();
    const at = (percent: number) => milliseconds(histogram?.percentile(percent) ?? 0);
    return { p50: at(50), p99: at(99), max: at(100) };
  });
}

function handleProfile(): void {
  let session: Session | null = null;
  handleMethod('startProfile', async () => {
    const inspector = await import('node:inspector/promises');
    session = new inspector.Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: PROFILE_INTERVAL_MICROS });
    await session.post('Profiler.start');
    return null;
  });
  handleMethod('stopProfile', async (file) => {
    const stopped = await session?.post('Profiler.stop');
    session?.disconnect();
    writeFileSync(file, JSON.stringify(stopped?.profile));
    return null;
  });
}

if (isMainThread && process.send) {
  handleMethod('usage', () => {
    const { user, system } = process.cpuUsage();
    return { cpuMicros: user + system, peakRssBytes: peakRssBytes() };
  });
  handleLag();
  handleProfile();
  // Lets the gateway exit when it has nothing left to do, as it would without the probe.
  process.channel?.unref();
}
