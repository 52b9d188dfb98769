import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../harness/rpc.ts';
import { measure, openStage, putLoad } from '../harness/setup.ts';
import { OURS } from '../targets.ts';
import type { Workload } from '../workloads.ts';
import { RESULTS_FOLDER } from './build.ts';
import type { Pace } from './pace.ts';
import { type AreaShare, areasOf, type CpuProfile } from './profile-areas.ts';

/** Where the CPU time of one workload goes, the largest area first. The profile itself is left in the results folder. */
export interface ProfileRow {
  readonly workload: string;
  readonly cpuPerRequest: number;
  readonly areas: readonly AreaShare[];
}

const FOLDER = join(RESULTS_FOLDER, 'profiles');

/** Ours under one workload, sampled while it is warm: nothing of the start is in it. */
export async function profileWorkload(workload: Workload, pace: Pace): Promise<ProfileRow> {
  await using stage = await openStage({ ...workload, subjects: [OURS] });
  const [player] = stage.players;
  if (!player) throw new Error('Nothing was started.');
  await putLoad(stage.load, player, { ...workload, milliseconds: pace.warmUpMs });
  const { cpuMicros, requests } = await measure(stage.load, player, { ...workload, milliseconds: pace.sampleMs });
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${workload.name}.cpuprofile`);
  await ask(player.child, 'startProfile', null);
  await putLoad(stage.load, player, { ...workload, milliseconds: pace.sampleMs });
  await ask(player.child, 'stopProfile', file);
  const profile: CpuProfile = JSON.parse(readFileSync(file, 'utf8'));
  return { workload: workload.name, cpuPerRequest: cpuMicros / requests, areas: areasOf(profile) };
}
