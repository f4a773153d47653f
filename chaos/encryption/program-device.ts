import { startLineProgram } from '@steward/testing';
import type { Device, Login, Received } from './device.ts';

/**
 * A device whose client is another program, which is driven by lines of JSON.
 *
 * @param store a directory for what the client remembers
 */
export async function programDevice(
  command: readonly [string, ...string[]],
  { url, userId, password, deviceId }: Login,
  store: string,
): Promise<Device> {
  const program = startLineProgram(command);
  const run = async <Result>(name: string, options: Readonly<Record<string, string>>): Promise<Result> => {
    const { error, ...result } = (await program.ask({ do: name, ...options })) as Result & { error?: string };
    if (error !== undefined) throw new Error(`${command[0]} could not ${name}: ${error}\n${program.log()}`);
    return result as Result;
  };
  await run('login', { url, user: userId, password, device: deviceId, store });
  return {
    id: deviceId,
    join: (room) => run('join', { room }),
    send: (room, text) => run('send', { room, text }),
    received: (room) => run<Received>('received', { room }),
    recipients: async (room) => (await run<{ devices: readonly string[] }>('recipients', { room })).devices,
    close: () => program.kill(),
  };
}
