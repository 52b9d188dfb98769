import { parentPort, workerData } from 'node:worker_threads';
import { TOKEN } from './target.ts';

const PAUSE_MS = 5;

let worst = 0;
let begun = performance.now();

async function ask(): Promise<void> {
  begun = performance.now();
  const response = await fetch(workerData.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: TOKEN },
    body: JSON.stringify({ query: workerData.query }),
  });
  if (response.status !== 200) throw new Error(`The bystander was answered ${response.status}.`);
  await response.text();
  worst = Math.max(worst, performance.now() - begun);
}

await ask();
parentPort?.on('message', () => {
  // A call that is not yet answered counts for what it has taken by now.
  parentPort?.postMessage(Math.round(Math.max(worst, performance.now() - begun)));
  worst = 0;
});
for (;;) {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
