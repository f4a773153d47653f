import { systemRandom } from '@steward/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeakyBuckets, type Rate } from './leaky-buckets.ts';
import { openSharedBuckets, type SharedBuckets } from './shared-buckets.ts';
import { SimulatedNetwork, type Station } from './testing/simulated-network.ts';

const LIMIT = 'login_failed';
const KEY = '@alice:test';
const COLLECTING_MS = 5;

interface Instance {
  readonly shared: SharedBuckets;
  readonly station: Station;
  take(rate: Rate, key?: string): number;
}

/** Starts an instance, whose clock shows another time than those of others. */
async function startInstance(network: SimulatedNetwork, skewMs = 0): Promise<Instance> {
  const opened: Station[] = [];
  const shared = await openSharedBuckets({
    service: 'user',
    limits: [LIMIT],
    clock: { now: () => 1e12 + skewMs + network.now },
    random: systemRandom,
    later: (fn) => network.at(network.now + COLLECTING_MS, fn),
    openBroadcast: async (options) => {
      const station = network.open(options);
      opened.push(station);
      return station;
    },
  });
  const [station] = opened;
  if (!station) throw new Error('No station was opened');
  return { shared, station, take: (rate, key = KEY) => shared.of(LIMIT).take(key, rate, 1) };
}

const startInstances = (network: SimulatedNetwork, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => startInstance(network, index * 3_600_000)));

/** How often an action succeeds on an instance before it is refused. */
function often({ take }: Instance, rate: Rate): number {
  for (let done = 0; done < 1_000; done++) if (take(rate) > 0) return done;
  return 1_000;
}

describe('shared buckets', () => {
  it('of four instances admit as much as one bucket, to within 10 %, whatever the delays and restarts', async () => {
    const scenario = fc.record({
      perSecond: fc.integer({ min: 1, max: 50 }),
      burst: fc.integer({ min: 3, max: 100 }),
      /** How many times more is attempted than leaks. */
      pressure: fc.integer({ min: 1, max: 4 }),
      /** Which instance is asked, how long its messages take, and whether one arrives twice. */
      choices: fc.infiniteStream(fc.integer({ min: 0, max: 2 ** 20 })),
      restarts: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 4 }),
    });
    const run = async ({ perSecond, burst, pressure, choices, restarts }: ScenarioOf<typeof scenario>) => {
      const next = (bound: number) => Number(choices.next().value ?? 0) % bound;
      const network = new SimulatedNetwork(
        () => next(20),
        () => 1 + (next(10) === 0 ? 1 : 0),
      );
      const instances = await startInstances(network, 4);
      const exact = new LeakyBuckets({ now: () => network.now });
      const rate = { perSecond, burst };
      const stops = restarts.toSorted((one, other) => one - other);
      let [shared, expected] = [0, 0];
      // Long enough that the burst is not all that is admitted.
      const durationMs = Math.max(60_000, (20 * burst * 1_000) / perSecond);
      const stepMs = 1_000 / (perSecond * (1 + pressure));
      for (let time = 0; time < durationMs; time += stepMs) {
        network.runUntil(time);
        if (time > (stops[0] ?? Number.POSITIVE_INFINITY)) {
          stops.shift();
          const index = next(4);
          instances[index]?.shared.close();
          instances[index] = await startInstance(network);
        }
        if (instances[next(4)]?.take(rate) === 0) shared++;
        if (exact.take(KEY, rate, 1) === 0) expected++;
      }
      expect(shared / expected).toBeGreaterThan(0.9);
      expect(shared / expected).toBeLessThan(1.1);
    };
    await fc.assert(fc.asyncProperty(scenario, run), { numRuns: 15 });
  });

  it('refuse on every instance what one has admitted, for the same time', async () => {
    const network = new SimulatedNetwork();
    const [first, ...others] = await startInstances(network, 4);
    const rate = { perSecond: 0.5, burst: 3 };
    expect(first && often(first, rate)).toBe(3);
    network.runUntil(COLLECTING_MS + 1);
    const waits = [first, ...others].map((instance) => instance?.take(rate));
    // The others count the time from when they were told.
    expect(waits).toEqual([1994, 2000, 2000, 2000]);
  });

  it('let all wait until what was admitted at the same time has leaked', async () => {
    const network = new SimulatedNetwork();
    const instances = await startInstances(network, 4);
    const rate = { perSecond: 1, burst: 3 };
    expect(instances.map((instance) => often(instance, rate))).toEqual([3, 3, 3, 3]);
    network.runUntil(9_900);
    expect(instances.map((instance) => often(instance, rate))).toEqual([0, 0, 0, 0]);
    network.runUntil(10_100);
    expect(instances.map(({ take }) => take(rate)).filter((wait) => wait === 0).length).toBeGreaterThan(0);
  });

  it('give back what turned out not to count on every instance', async () => {
    const network = new SimulatedNetwork();
    const [first, second] = await startInstances(network, 2);
    const rate = { perSecond: 0.001, burst: 1 };
    first?.take(rate);
    network.runUntil(100);
    expect(second?.take(rate)).toBeGreaterThan(0);
    first?.shared.of(LIMIT).giveBack(KEY, rate, 1);
    network.runUntil(200);
    expect(second?.take(rate)).toBe(0);
  });

  it('of a restarted instance, even the only one, contain what was counted before', async () => {
    const network = new SimulatedNetwork();
    const rate = { perSecond: 0.1, burst: 3 };
    for (let restart = 0; restart < 5; restart++) {
      const instance = await startInstance(network, restart * 1_000_000);
      expect(often(instance, rate)).toBe(restart === 0 ? 3 : 1);
      instance.shared.close();
      network.runUntil(network.now + 10_000);
    }
  });

  it('count for each instance without the broker, and together when it is back', async () => {
    const network = new SimulatedNetwork();
    const instances = await startInstances(network, 4);
    const rate = { perSecond: 1, burst: 5 };
    for (const { station } of instances) station.disconnect();
    expect(instances.map((instance) => often(instance, rate))).toEqual([5, 5, 5, 5]);
    network.runUntil(600_000);
    expect(instances.map((instance) => often(instance, rate))).toEqual([5, 5, 5, 5]);
    network.runUntil(602_000);
    for (const { station } of instances) station.connect();
    network.runUntil(602_100);
    // Of the last five of each, three have not leaked; of those of ten minutes ago, all have.
    for (const { take } of instances) expect(Math.round(take(rate) / 100)).toBe(79);
    network.runUntil(620_000);
    expect(instances.map(({ take }) => take(rate)).filter((wait) => wait === 0)).toHaveLength(4);
  });

  it('add what others counted while one of them was not connected', async () => {
    const network = new SimulatedNetwork();
    const [first, second] = await startInstances(network, 2);
    const rate = { perSecond: 0.1, burst: 3 };
    second?.station.disconnect();
    expect(first && often(first, rate)).toBe(3);
    network.runUntil(10_100);
    second?.station.connect();
    expect(second && often(second, rate)).toBe(1);
  });

  it('ignore messages that arrive again, and those that cannot be read', async () => {
    const network = new SimulatedNetwork();
    const [first, second] = await startInstances(network, 2);
    const rate = { perSecond: 0.001, burst: 2 };
    first?.take(rate);
    network.runUntil(100);
    const genuine = network.sent.at(-1) ?? new Uint8Array();
    network.carry(genuine);
    network.carry(genuine.slice(0, -1));
    network.carry(new Uint8Array(3));
    network.runUntil(200);
    expect(second && often(second, rate)).toBe(1);
  });

  it('send few and small messages, whatever the keys that clients choose', async () => {
    const network = new SimulatedNetwork();
    const [first] = await startInstances(network, 1);
    for (let n = 0; n < 2_000; n++) first?.take({ perSecond: 1, burst: 3 }, `${n}${'x'.repeat(10_000)}`);
    network.runUntil(10);
    expect(network.sent).toHaveLength(1);
    expect(network.sent[0]?.length).toBeLessThan(512 * 1_024);
  });

  it('send few and small messages under an attack from many addresses, and keep few keys for later', async () => {
    const network = new SimulatedNetwork();
    const [first] = await startInstances(network, 1);
    const rate = { perSecond: 1, burst: 3 };
    const attack = () => {
      for (let address = 0; address < 100_000; address++) first?.take(rate, `address ${address}`);
    };
    attack();
    network.runUntil(10);
    expect(network.sent.length).toBeLessThanOrEqual(10);
    expect(Math.max(...network.sent.map(({ length }) => length))).toBeLessThan(100 * 1_024);
    first?.station.disconnect();
    attack();
    const before = network.sent.length;
    first?.station.connect();
    expect(network.sent.length - before).toBeLessThanOrEqual(10);
  });
});

type ScenarioOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
