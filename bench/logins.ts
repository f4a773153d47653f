import { createPasswords } from '@steward/user/testing';
import { loadTask, median } from './load.ts';
import { register, startSteward } from './servers.ts';

/** The largest acceptable 95th percentile of a request's time during logins, as a multiple of the time of one hash. */
const AIM = 1;

const SHARE = 0.95;

/** The number of devices that log in repeatedly. */
const DEVICES = 100;

const HASHES = 9;

/** Measures how long an unrelated request takes while 16 clients log in, relative to the time of one password hash. */
export async function logins(options: {
  readonly data: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const hashMs = await timeOfOneHash();
  const steward = await startSteward(options.data);
  try {
    const token = await register(steward.url, 'logins', false);
    const ratios: number[] = [];
    const waits: number[] = [];
    const perSecond: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const end = performance.now() + options.seconds * 1000;
      const [load, slow] = await Promise.all([
        loadTask(options.seconds, (n) => login(steward.url, n)),
        percentileUntil(end, () => whoAmI(steward.url, token)),
      ]);
      if (load.failed > 0) throw new Error(`${load.failed} logins failed`);
      waits.push(slow);
      ratios.push(slow / hashMs);
      perSecond.push(load.perSecond);
    }
    console.log(
      `whoami among ${median(perSecond).toFixed(0)} logins a second: ${median(waits).toFixed(1)} ms at the 95th ` +
        `percentile, one hash ${hashMs.toFixed(1)} ms, ratio ${median(ratios).toFixed(2)} (at most ${AIM.toFixed(2)})\n`,
    );
  } finally {
    await steward.stop();
  }
}

async function timeOfOneHash(): Promise<number> {
  const passwords = await createPasswords();
  const times: number[] = [];
  for (let n = 0; n < HASHES; n++) {
    const start = performance.now();
    await passwords.hash('bench', 'bench');
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Repeats a task until the end, and returns the 95th percentile of its duration, in milliseconds. */
async function percentileUntil(end: number, task: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  while (performance.now() < end) {
    const start = performance.now();
    await task();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * SHARE)] ?? 0;
}

async function login(url: string, n: number): Promise<void> {
  const identifier = { type: 'm.id.user', user: 'logins' };
  const body = JSON.stringify({
    type: 'm.login.password',
    identifier,
    password: 'bench',
    device_id: `D${n % DEVICES}`,
  });
  await expectOk(await fetch(`${url}/_matrix/client/v3/login`, { method: 'POST', body }));
}

async function whoAmI(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await expectOk(await fetch(`${url}/_matrix/client/v3/account/whoami`, { headers }));
}

async function expectOk(answer: Response): Promise<void> {
  await answer.text();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
