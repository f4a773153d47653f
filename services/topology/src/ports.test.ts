import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { requireFree } from './ports.ts';

it('names the option of a port that is in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(requireFree('--base-port', [port], '127.0.0.1')).rejects.toThrow(
    `--base-port: port ${port} is in use`,
  );
  server.close();
  await once(server, 'close');
  await expect(requireFree('--base-port', [port], '127.0.0.1')).resolves.toBeUndefined();
});
