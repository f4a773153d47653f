import { join } from 'node:path';
import { userId } from './data.ts';
import { loadRooms, roomId } from './rooms-data.ts';
import { call, register, type Server, signIn, startSteward } from './servers.ts';

/** The rooms of the user, and the messages that wait for the device. */
const ROOMS = 500;
const MESSAGES = 20_000;

/** Each third room can be joined. */
const PUBLIC_EACH = 3;

/** About the size of the key of a room, encrypted for a device. */
const CONTENT = { ciphertext: 'k'.repeat(1_000) };

/** The number of messages that are sent concurrently. */
const CONCURRENT = 16;

const CLIENT = '/_proto/client/v3';

/** What a client receives with one request. */
interface Synced {
  readonly next_batch: string;
  readonly to_device?: { readonly events: readonly unknown[] };
  readonly rooms?: { readonly join?: object };
}

/** Measures the memory of the server while a client that was away syncs: in 500 rooms, with 20,000 messages for its device. */
export async function away({ directory }: { directory: string }): Promise<void> {
  const data = join(directory, 'away');
  await loadRooms(data, { rooms: ROOMS * PUBLIC_EACH });
  const server = await startSteward(data);
  try {
    const admin = await register(server.url, 'bench', true);
    const [member, sender] = [userId(ROOMS * PUBLIC_EACH - 1), userId(1)];
    const [token, other] = [await signIn(server, admin, member), await signIn(server, admin, sender)];
    for (let n = 0; n < ROOMS; n++) {
      await call(server, token, 'POST', `${CLIENT}/join/${roomId(n * PUBLIC_EACH)}`, {});
    }
    const { device_id: device } = JSON.parse(await call(server, token, 'GET', `${CLIENT}/account/whoami`));
    const messages = { [member]: { [device]: CONTENT } };
    let sent = 0;
    const sendAll = async () => {
      while (sent < MESSAGES) {
        const path = `${CLIENT}/sendToDevice/m.room.encrypted/${sent++}`;
        await call(server, other, 'PUT', path, { messages });
      }
    };
    const sending = await measured(server, () => Promise.all(Array.from({ length: CONCURRENT }, sendAll)));
    console.log(`${MESSAGES} messages to a device      ${(sending.cpuMs / MESSAGES).toFixed(2)} ms each`);
    const before = server.memoryMb();
    let received = 0;
    let next: string | undefined;
    const sync = async () => {
      const since = next === undefined ? '' : `&since=${next}`;
      const text = await call(server, token, 'GET', `${CLIENT}/sync?timeout=0${since}`);
      const answer: Synced = JSON.parse(text);
      next = answer.next_batch;
      received += answer.to_device?.events.length ?? 0;
      return { bytes: text.length, rooms: Object.keys(answer.rooms?.join ?? {}).length };
    };
    const first = await measured(server, sync);
    const others = await measured(server, async () => {
      let syncs = 0;
      for (; received < MESSAGES; syncs++) await sync();
      return syncs;
    });
    console.log(
      `first sync, ${first.result.rooms} rooms          ${first.cpuMs} ms, ${Math.round(first.result.bytes / 1024)} KiB, at most ${first.peakMb} MB of memory, before ${before} MB`,
    );
    console.log(
      `${others.result} syncs with the messages   ${(others.cpuMs / others.result).toFixed(1)} ms each, at most ${others.peakMb} MB of memory\n`,
    );
  } finally {
    await server.stop();
  }
}

async function measured<R>(server: Server, work: () => Promise<R>) {
  server.forgetPeak();
  const cpuMs = server.cpuMs();
  const result = await work();
  return { result, cpuMs: server.cpuMs() - cpuMs, peakMb: server.peakMb() };
}
