import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { systemClock, systemRandom } from '@steward/kernel';
import { expect, it, onTestFinished } from 'vitest';
import { BusRefused } from '../errors.ts';
import { createJetStreamBus } from './bus.ts';

/** What a broker sends first, and its answer to every client. */
const INFO = `INFO ${JSON.stringify({ server_id: 'x', version: '2.11.0', proto: 1, max_payload: 1024, auth_required: true })}\r\n`;
const REFUSAL = "-ERR 'Authorization Violation'\r\n";

it('a bus is not created when the broker refuses the credentials, and names the address without them', async () => {
  const broker = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(INFO);
    socket.once('data', () => socket.end(REFUSAL));
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  onTestFinished(() => void broker.close());
  const { port } = broker.address() as AddressInfo;
  const bus = createJetStreamBus({
    broker: { servers: `nats://user:secret@127.0.0.1:${port}` },
    clock: systemClock,
    random: systemRandom,
  });
  await expect(bus).rejects.toEqual(
    new BusRefused(`The broker at 127.0.0.1:${port} refuses the credentials: Authorization Violation`),
  );
});
