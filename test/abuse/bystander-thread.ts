import { parentPort, workerData } from 'node:worker_threads';
import { TOKEN } from './target.ts';

const PAUSE_MS = 5;

let worst = 0;
let begun = performance.now();

async function sendQuery(): Promise<void> {
  begun = performance.now();
  const response = await fetch(workerData.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_token: TOKEN },
    body: JSON.stringify({ query: workerData.query }),
  });
  if (response.status !== 200) throw new Error(`The bystander got HTTP ${response.status}.`);
  await response.text();
  worst = Math.max(worst, performance.now() - begun);
}

await sendQuery();
parentPort?.on('message', () => {
  // A call without a response yet counts with the time that it has taken so far.
  parentPort?.postMessage(Math.round(Math.max(worst, performance.now() - begun)));
  worst = 0;
});
for (;;) {
  await sendQuery();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
