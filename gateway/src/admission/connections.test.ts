import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { noMeters } from '@steward/telemetry';
import { describe, expect, it } from 'vitest';
import { Connections } from './connections.ts';
import { Refusals } from './refusals.ts';

function create(limits: { readonly all: number; readonly idleOfAddress: number }) {
  const server = new EventEmitter();
  const connections = new Connections(server as unknown as Server, limits, new Refusals(noMeters));
  const open = (remoteAddress = '192.0.2.1') => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      writableLength: 0,
      destroyed: false,
      destroy() {
        socket.destroyed = true;
        socket.emit('close');
      },
    });
    server.emit('connection', socket);
    return socket as typeof socket & Socket;
  };
  return { server, connections, open };
}

describe('a connection without progress', () => {
  it('a connection without progress is kept while the server works on its request, and cut when its client does not read the answer', () => {
    const { server, connections, open } = create({ all: 10, idleOfAddress: 10 });
    const socket = open();
    connections.begin(socket);
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(false);
    Object.assign(socket, { writableLength: 1 });
    server.emit('timeout', socket);
    expect(socket.destroyed).toBe(true);
  });

  it('has less time when it is hurried', () => {
    const { connections, open } = create({ all: 10, idleOfAddress: 10 });
    const limits: number[] = [];
    const socket = Object.assign(open(), { setTimeout: (ms: number) => limits.push(ms) });
    connections.hurry(socket as unknown as Socket);
    expect(limits).toEqual([5_000]);
  });

  it('a connection without progress is cut before a request, and after the last answer', () => {
    const { server, connections, open } = create({ all: 10, idleOfAddress: 10 });
    const [unused, used] = [open(), open()];
    connections.begin(used);
    connections.end(used, 'alice');
    for (const socket of [unused, used]) {
      server.emit('timeout', socket);
      expect(socket.destroyed).toBe(true);
    }
    expect(connections.count).toBe(0);
  });
});

describe('too many connections', () => {
  it('make the address with the most of them lose one without a request', () => {
    const { connections, open } = create({ all: 4, idleOfAddress: 10 });
    const [first, second] = [open(), open()];
    const other = open('192.0.2.2');
    connections.begin(first);
    open();
    open('192.0.2.3');
    expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
    expect(connections.count).toBe(4);
  });

  it('count by IPv6 network, whose addresses one client has', () => {
    const { connections, open } = create({ all: 4, idleOfAddress: 10 });
    const other = open('192.0.2.1');
    const many = ['::1', '::2', '::3', '::4'].map((end) => open(`2001:db8:0:1${end}`));
    expect([other, ...many].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false, false]);
    expect(connections.count).toBe(4);
  });

  it('keep new ones out while each has a request', () => {
    const { connections, open } = create({ all: 1, idleOfAddress: 10 });
    connections.begin(open());
    expect(open().destroyed).toBe(true);
    expect(connections.count).toBe(1);
  });

  it('of one caller close before the only one of another', () => {
    const { connections, open } = create({ all: 10, idleOfAddress: 3 });
    const used = ['alice', 'bob', 'bob', 'bob'].map((caller) => {
      const socket = open();
      connections.begin(socket);
      connections.end(socket, caller);
      return socket;
    });
    expect(used.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
    const [alice] = used;
    if (alice) connections.begin(alice);
    expect(alice?.destroyed).toBe(false);
  });

  it('without a request close after some time, and do not displace those that wait for another one', () => {
    const { connections, open } = create({ all: 10, idleOfAddress: 2 });
    const kept = open();
    connections.begin(kept);
    connections.end(kept, 'alice');
    const unused = [open(), open(), open()];
    connections.tick();
    expect([kept, ...unused].map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
    connections.tick();
    expect([kept, ...unused].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
  });
});
