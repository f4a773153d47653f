import type { Load } from '../load.ts';
import { CLASSES, type RequestClass } from './classes.ts';
import { repeat } from './repeat.ts';
import { scaleOf } from './scale.ts';
import { startScale } from './start-scale.ts';

/** A kind of requests of the mix: its classes, which alternate, and how many are offered a second. */
interface Kind {
  readonly name: string;
  readonly perSecond: number;
  readonly classes: readonly [string, ...string[]];
}

const KINDS: readonly Kind[] = [
  {
    name: 'reads',
    perSecond: 2_000,
    classes: ['user by id', 'user list', 'room list', 'room details', 'devices', 'joined rooms', 'whois'],
  },
  { name: 'sends', perSecond: 500, classes: ['message to many rooms'] },
  { name: 'changes', perSecond: 200, classes: ['change of a display name'] },
];

/** How long the mix runs before it is measured, in seconds. */
const WARM_UP_S = 2;

/**
 * Offers reads, sends and changes at constant rates to one server at the same time, and shows the rates that it reaches
 * and their latencies, at each scale. A latency includes the time that a request waits because earlier ones are late.
 */
export async function mixBench(options: {
  readonly directory: string;
  readonly users: readonly number[];
  readonly seconds: number;
}): Promise<void> {
  for (const users of options.users) {
    const scale = scaleOf(users);
    const started = await startScale(options.directory, scale);
    try {
      const run = (seconds: number) =>
        Promise.all(
          KINDS.map(({ classes: [first, ...others], perSecond: rate }) =>
            repeat(started, [classOf(first), ...others.map(classOf)], scale, { seconds, rate }),
          ),
        );
      await run(WARM_UP_S);
      const before = started.server.cpuMs();
      const loads = await run(options.seconds);
      const cores = (started.server.cpuMs() - before) / (options.seconds * 1_000);
      console.log('kind      offered/s       /s   p50 ms   p99 ms  failed');
      for (const [i, kind] of KINDS.entries()) show(kind, loads[i]);
      console.log(`the server used ${cores.toFixed(2)} cores and ${started.server.memoryMb()} MB`);
    } finally {
      await started.close();
    }
  }
}

function classOf(name: string): RequestClass {
  const found = CLASSES.find((each) => each.name === name);
  if (!found) throw new Error(`There is no class ${name}`);
  return found;
}

function show({ name, perSecond: offered }: Kind, found: Load | undefined): void {
  if (!found) return;
  const { perSecond, p50Ms, p99Ms, failed } = found;
  console.log(
    name.padEnd(9),
    String(offered).padStart(9),
    perSecond.toFixed(0).padStart(8),
    p50Ms.toFixed(0).padStart(8),
    p99Ms.toFixed(0).padStart(8),
    String(failed).padStart(7),
  );
}
