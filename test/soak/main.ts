import { soak } from './soak.ts';

/* `npm run test:soak`: soak.long.test.ts with more calls, for the figure of docs/performance/measurements.md. */
const CALLS = 100_000;
const begin = performance.now();
const { whole, faults, connections } = await soak({ calls: CALLS, concurrency: 32 });
const seconds = Math.round((performance.now() - begin) / 1000);
process.stdout.write(`${whole} of ${CALLS} calls whole, over ${connections} connections, in ${seconds} s\n`);
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
if (whole !== CALLS) process.exitCode = 1;
