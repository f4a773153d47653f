import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device, Login, Received } from './device.ts';

/** How long a program may take to answer a command, in milliseconds: it waits while the server is away. */
const ANSWER_MS = 120_000;

/**
 * A device whose client is another program, which is driven by lines of JSON: each is a command, and is answered by a line.
 *
 * @param store a directory for what the client remembers
 */
export async function programDevice(
  [program, ...args]: readonly [string, ...string[]],
  { url, userId, password, deviceId }: Login,
  store: string,
): Promise<Device> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const late = async (command: string): Promise<never> => {
    await sleep(ANSWER_MS, undefined, { ref: false });
    throw new Error(`${program} did not ${command} in ${ANSWER_MS} ms: ${log}`);
  };
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // One command at a time, so that each answer is that of its command.
  let last: Promise<unknown> = Promise.resolve();
  const run = <Result>(command: string, options: Readonly<Record<string, string>>): Promise<Result> => {
    const answer = last.then(async () => {
      child.stdin.write(`${JSON.stringify({ do: command, ...options })}\n`);
      const { value, done } = await Promise.race([answers.next(), late(command)]);
      if (done) throw new Error(`${program} ended: ${log}`);
      const { error, ...result } = JSON.parse(value);
      if (error !== undefined) throw new Error(`${program} could not ${command}: ${error}\n${log}`);
      return result;
    });
    last = answer.catch(() => {});
    return answer;
  };
  await run('login', { url, user: userId, password, device: deviceId, store });
  return {
    id: deviceId,
    join: (room) => run('join', { room }),
    send: (room, text) => run('send', { room, text }),
    received: (room) => run<Received>('received', { room }),
    recipients: async (room) => (await run<{ devices: readonly string[] }>('recipients', { room })).devices,
    async close() {
      child.kill('SIGKILL');
    },
  };
}
