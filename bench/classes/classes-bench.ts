import { userId } from '../data.ts';
import { type Load, load, loadTask } from '../load.ts';
import { p50 } from '../p50.ts';
import { call, register, type Server, startClassesFloor } from '../servers.ts';
import { compareWithBaseline, type Figures, writeBaseline } from './baseline.ts';
import { CLASSES, type RequestClass } from './classes.ts';
import { JOB_CLASSES } from './jobs.ts';
import { nextRequest, repeat } from './repeat.ts';
import { JOBS, type Scale, scaleOf } from './scale.ts';
import { startScale } from './start-scale.ts';

/**
 * The processor time of the floor on the machine for which aims are stated, in milliseconds: aims are shown as multiples
 * of the floor, which hold on any machine.
 */
const FLOOR_OF_AIMS_MS = 0.04;

/** How long each class runs before it is measured, in seconds. */
const WARM_UP_S = 0.5;

/** Settings of the bench. */
export interface ClassesOptions {
  /** Where data sets are kept: those of an earlier run are used again. */
  readonly directory: string;
  /** The numbers of users of the scales, the smallest first. */
  readonly users: readonly number[];
  readonly seconds: number;
  /** Part of the names of the classes to measure; all of them if absent. */
  readonly name?: string;
  /** Whether the figures become the committed baseline. */
  readonly baseline: boolean;
}

/**
 * Measures every class of requests and every job at each scale: processor time per answer, latency, rate, and the ratio
 * of the processor time to that of a floor server in the same run. Compares with the committed baseline, and the
 * latency at the largest scale with that at the smallest.
 */
export async function classesBench(options: ClassesOptions): Promise<void> {
  const all = new Map<number, ReadonlyMap<string, Figures>>();
  for (const users of options.users) {
    all.set(users, await measureScale(scaleOf(users), options));
  }
  compareScales(all);
  if (options.baseline) await writeBaseline(all);
  else await compareWithBaseline(all);
}

async function measureScale(scale: Scale, options: ClassesOptions): Promise<ReadonlyMap<string, Figures>> {
  const { data, server, tokens, close } = await startScale(options.directory, scale);
  const floor = await startClassesFloor(data);
  const figures = new Map<string, Figures>();
  try {
    console.log('class'.padEnd(34), 'CPU ms  x floor   (aim)   p50 ms   p99 ms       /s  failed');
    const floorCpu = await cpuPerAnswer(floor, options.seconds, (duration) =>
      load({ url: `${floor.url}/${userId(77)}`, duration }),
    );
    show('floor: bare handler, one read', floorCpu);
    const selected = (name: string) => options.name === undefined || name.includes(options.name);
    for (const each of CLASSES.filter(({ name }) => selected(name))) {
      const run = (seconds: number) => repeat({ server, tokens }, [each], scale, { seconds });
      await run(WARM_UP_S);
      const measured = await cpuPerAnswer(server, options.seconds, run);
      const found = {
        ...measured,
        // The load generator's latencies are whole milliseconds of waiting for each other.
        p50Ms: await p50(() => once(server, each.request(nextRequest(), scale, tokens))),
        aimMs: each.aimMs,
        ofFloor: measured.cpuMs / floorCpu.cpuMs,
      };
      figures.set(each.name, found);
      show(each.name, found);
    }
    if (selected('registration')) {
      const found = await cpuPerAnswer(server, options.seconds, (duration) =>
        loadTask(duration, async (n) => {
          await register(server.url, `registered${n}`, false);
        }),
      );
      show('registration', found);
    }
    for (const job of JOB_CLASSES.filter(({ name }) => selected(name))) {
      const before = server.cpuMs();
      const start = performance.now();
      for (let n = 0; n < JOBS; n++) await job.run(server, tokens.admin, scale, n);
      const p50Ms = (performance.now() - start) / JOBS;
      const cpuMs = (server.cpuMs() - before) / JOBS;
      const ofFloor = cpuMs / floorCpu.cpuMs;
      const found = { cpuMs, p50Ms, p99Ms: p50Ms, perSecond: 1000 / p50Ms, failed: 0, ofFloor };
      figures.set(job.name, found);
      show(job.name, { ...found, aimMs: job.aimMs });
    }
    console.log(`memory afterwards: ${server.memoryMb()} MB`);
  } finally {
    await floor.stop();
    await close();
  }
  return figures;
}

function once(
  server: Server,
  { token, method, path, body }: ReturnType<RequestClass['request']>,
): Promise<string> {
  return call(server, token, method, path, body);
}

async function cpuPerAnswer(
  server: Server,
  seconds: number,
  run: (seconds: number) => Promise<Load>,
): Promise<Load & { readonly cpuMs: number }> {
  const before = server.cpuMs();
  const result = await run(seconds);
  return { ...result, cpuMs: (server.cpuMs() - before) / Math.max(1, result.answers) };
}

function show(
  name: string,
  figures: Omit<Figures, 'ofFloor'> & Partial<Pick<Figures, 'ofFloor'>> & { readonly aimMs?: number },
): void {
  const { cpuMs, aimMs, ofFloor, p50Ms, p99Ms, perSecond, failed } = figures;
  console.log(
    name.padEnd(34),
    cpuMs.toFixed(cpuMs < 10 ? 3 : 0).padStart(6),
    (ofFloor === undefined ? '' : ofFloor.toFixed(1)).padStart(8),
    (aimMs === undefined ? '' : `(${(aimMs / FLOOR_OF_AIMS_MS).toFixed(1)})`).padStart(7),
    p50Ms.toFixed(2).padStart(8),
    p99Ms.toFixed(2).padStart(8),
    perSecond.toFixed(0).padStart(8),
    String(failed).padStart(7),
  );
}

/** Shows how the latency of each class grows from the smallest scale to the largest. */
function compareScales(all: ReadonlyMap<number, ReadonlyMap<string, Figures>>): void {
  const [few, ...others] = [...all.keys()];
  const many = others.at(-1);
  if (few === undefined || many === undefined) return;
  console.log(`\np50 at ${few} and at ${many} users (aim: at most twice)`);
  for (const [name, a] of all.get(few) ?? []) {
    const b = all.get(many)?.get(name);
    if (b === undefined) continue;
    const growth = b.p50Ms / a.p50Ms;
    console.log(
      name.padEnd(34),
      a.p50Ms.toFixed(2).padStart(8),
      b.p50Ms.toFixed(2).padStart(8),
      growth.toFixed(2).padStart(8),
    );
  }
}
