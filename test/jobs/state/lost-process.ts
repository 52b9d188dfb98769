import { openLedger } from '../../../src/jobs/state/open-ledger.ts';
import { partOf, updatesOf } from './contract.ts';

/* A program that a test kills: it begins two items of three, and prints a line. */
const [url = ''] = process.argv.slice(2);
const ledger = await openLedger({ url, setting: 'STATE_URL' });
await ledger.heartbeat('killed', 1_000);
await ledger.appendPart(partOf({ owner: 'killed', updates: updatesOf(3), isUnattended: true }));
const [run] = await ledger.claim({ owner: 'killed', credentialHashes: new Set(['binding']), held: [] });
if (run === undefined) throw new Error('The job was not given to its owner.');
await ledger.beginItems(run, [0, 1]);
process.stdout.write('begun\n');
setInterval(() => {}, 60_000);
