import { join } from 'node:path';
import { NOTIFY_PATH, startPushGateway } from '@steward/testing';
import { userId } from './data.ts';
import { load } from './load.ts';
import { loadRooms, roomId } from './rooms-data.ts';
import { call, register, type Server, signIn, startSteward } from './servers.ts';

/** The members of the large room, and how many of them listen. */
const MEMBERS = 1_000;
const LISTENERS = 200;

/** The rooms in which some members have phones, and who sends there. */
const ROOMS = 100;
const SENDERS = 16;

/** The messages of a measurement, which are sent one after the other. */
const MESSAGES = 200;

const CLIENT = '/_proto/client/v3';

/**
 * Measures what talk costs beyond storing it: a message that 200 of 1,000 members wait for, the waiting itself, and messages to many
 * rooms whose members have phones. In processor time of the server, and as multiples of a message that no client waits for.
 */
export async function talk({ directory, seconds }: { directory: string; seconds: number }): Promise<void> {
  const data = join(directory, 'talk');
  await loadRooms(data, { rooms: ROOMS, large: MEMBERS });
  let pushes = 0;
  const gateway = await startPushGateway(() => {
    pushes++;
    return { status: 200 };
  });
  const server = await startSteward(data, { push: { allowed_addresses: ['127.0.0.1'] } });
  try {
    const admin = await register(server.url, 'bench', true);
    const tokens: string[] = [];
    for (let n = 0; n < LISTENERS; n++) tokens.push(await signIn(server, admin, userId(n)));
    const alone = await messages(server, tokens, 'alone');
    const nothing = await costOf(server, () => pause(seconds));
    const listeners = await listen(server, tokens);
    // What the initial syncs left is cleared away first.
    await pause(seconds);
    const idle = await costOf(server, () => pause(seconds));
    const heard = await messages(server, tokens, 'heard');
    listeners.stop();
    await listeners.ended;
    console.log(`a message to a room of ${MEMBERS}        ${alone.toFixed(2)} ms of processor time`);
    console.log(
      `  while ${LISTENERS} of them wait in a sync    ${heard.toFixed(2)} ms  ×${(heard / alone).toFixed(1)}`,
    );
    console.log(
      `${LISTENERS} waiting syncs                     ${(idle / seconds).toFixed(1)} ms a second, without them ${(nothing / seconds).toFixed(1)} ms\n`,
    );
    const without = await sends(server, tokens, 'without', seconds);
    await setPushers(server, tokens, `${gateway.origin}${NOTIFY_PATH}`);
    const pushed = await sends(server, tokens, 'pushed', seconds);
    console.log(
      `sends to ${SENDERS} rooms                  ${without.perSecond}/s  ${without.cpuMs} ms each`,
    );
    console.log(
      `  with ${LISTENERS} phones among the members   ${pushed.perSecond}/s  ${pushed.cpuMs} ms each, ${pushes} pushes`,
    );
  } finally {
    await server.stop();
    await gateway.close();
  }
}

/** The processor time of a message to the large room. */
async function messages(server: Server, [token = '']: readonly string[], name: string): Promise<number> {
  const path = `${CLIENT}/rooms/${roomId(0)}/send/m.room.message`;
  const body = { msgtype: 'm.text', body: 'A message as people write them, neither long nor short.' };
  const all = await costOf(server, async () => {
    for (let n = 0; n < MESSAGES; n++) await call(server, token, 'PUT', `${path}/${name}${n}`, body);
  });
  return all / MESSAGES;
}

/** Syncs as clients do: each waits for what is new, and then for what is next. */
async function listen(server: Server, tokens: readonly string[]) {
  const stopped = new AbortController();
  const filter = encodeURIComponent(JSON.stringify({ room: { timeline: { limit: 10 } } }));
  const sync = async (n: number, since: string, timeoutMs: number): Promise<string> => {
    const query = `filter=${filter}&timeout=${timeoutMs}${since === '' ? '' : `&since=${since}`}`;
    const answer = await fetch(`${server.url}${CLIENT}/sync?${query}`, {
      headers: { authorization: `Bearer ${tokens[n]}` },
      signal: stopped.signal,
    });
    const { next_batch: next, error } = (await answer.json()) as { next_batch: string; error?: string };
    if (!answer.ok) throw new Error(`sync answered ${answer.status} ${error}`);
    return next;
  };
  const since: string[] = [];
  for (const n of tokens.keys()) since.push(await sync(n, '', 0));
  const loops = tokens.map(async (_, n) => {
    let next = since[n] ?? '';
    while (!stopped.signal.aborted) next = await sync(n, next, 30_000);
  });
  const ended = Promise.allSettled(loops).then((outcomes) => {
    const failed = outcomes.find(
      (outcome) => outcome.status === 'rejected' && (outcome.reason as Error).name !== 'AbortError',
    );
    if (failed?.status === 'rejected') throw failed.reason;
  });
  return { ended, stop: () => stopped.abort() };
}

/** Messages of 16 users, each in a room of their own. */
async function sends(server: Server, tokens: readonly string[], name: string, seconds: number) {
  const body = JSON.stringify({ msgtype: 'm.text', body: 'A message as people write them.' });
  let n = 0;
  const next = () => {
    const from = 1 + (n % SENDERS);
    const path = `${CLIENT}/rooms/${roomId(from)}/send/m.room.message/${name}${n++}`;
    return { method: 'PUT' as const, path, headers: { authorization: `Bearer ${tokens[from]}` }, body };
  };
  const requests = [{ setupRequest: (request: object) => ({ ...request, ...next() }) }];
  const before = server.cpuMs();
  const { perSecond, answers, failed } = await load({ url: server.url, duration: seconds, requests });
  if (failed > 0) throw new Error(`${failed} messages were refused`);
  const cpuMs = (server.cpuMs() - before) / answers;
  return { perSecond: Math.round(perSecond), cpuMs: cpuMs.toFixed(3) };
}

async function setPushers(server: Server, tokens: readonly string[], url: string): Promise<void> {
  for (const [n, token] of tokens.entries()) {
    await call(server, token, 'POST', `${CLIENT}/pushers/set`, {
      kind: 'http',
      app_id: 'bench',
      pushkey: `phone ${n}`,
      app_display_name: 'Bench',
      device_display_name: 'Phone',
      lang: 'en',
      data: { url, format: 'event_id_only' },
    });
  }
}

async function costOf(server: Server, work: () => Promise<unknown>): Promise<number> {
  const before = server.cpuMs();
  await work();
  return server.cpuMs() - before;
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
