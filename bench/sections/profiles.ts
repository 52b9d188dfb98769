import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callMethod } from '../harness/rpc.ts';
import { measure, openSetup, runLoad } from '../harness/setup.ts';
import { withResource } from '../harness/with-resource.ts';
import { OURS_FROM_SOURCES } from '../targets.ts';
import type { Workload } from '../workloads.ts';
import { RESULTS_FOLDER } from './build.ts';
import { type Pace, warmUpTarget } from './pace.ts';
import { type AreaShare, areasOf, type CpuProfile } from './profile-areas.ts';

/** The CPU time of one workload by area, the largest first. The profile itself is in the results folder. */
export interface ProfileRow {
  readonly workload: string;
  readonly cpuPerRequest: number;
  readonly areas: readonly AreaShare[];
}

const FOLDER = join(RESULTS_FOLDER, 'profiles');

/** Profiles kb-gateway under one workload after the warm-up. */
export async function profileWorkload(workload: Workload, pace: Pace): Promise<ProfileRow> {
  return withResource(openSetup({ ...workload, targets: [OURS_FROM_SOURCES] }), async (setup) => {
    const [targetProcess] = setup.processes;
    if (!targetProcess) throw new Error('Nothing was started.');
    await warmUpTarget(pace.warmUp, (milliseconds) =>
      runLoad(setup.load, targetProcess, { ...workload, milliseconds }),
    );
    const { cpuMicros, requests } = await measure(setup.load, targetProcess, {
      ...workload,
      milliseconds: pace.sampleMs,
    });
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `${workload.name}.cpuprofile`);
    await callMethod(targetProcess.child, 'startProfile', null);
    await runLoad(setup.load, targetProcess, { ...workload, milliseconds: pace.sampleMs });
    await callMethod(targetProcess.child, 'stopProfile', file);
    const profile: CpuProfile = JSON.parse(readFileSync(file, 'utf8'));
    return { workload: workload.name, cpuPerRequest: cpuMicros / requests, areas: areasOf(profile) };
  });
}
