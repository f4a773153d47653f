import { connect, type Socket } from 'node:net';

/** A connection that an attacker holds open. */
export interface HeldSocket {
  readonly socket: Socket;
  /** Whether the server has closed it. */
  closed(): boolean;
  /** The status of the first answer, if one was received; only sockets that read receive one. */
  status(): number | undefined;
  /** How many bytes were received; only sockets that read receive any. */
  received(): number;
}

/** How the attacker uses a connection. */
export interface SocketOptions {
  /** Sent when the connection is open. */
  readonly text: string;
  /** Whether answers are read; `true` by default. */
  readonly reads?: boolean;
}

/** Opens a connection and sends a text. A connection that fails counts as closed. */
export function holdSocket(url: string, { text, reads = true }: SocketOptions): HeldSocket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let closed = false;
  let status: number | undefined;
  let received = 0;
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  socket.on('connect', () => socket.write(text));
  socket.on('data', (chunk: Buffer) => {
    status ??= Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1', 0, 16))?.[1]);
    received += chunk.length;
  });
  if (!reads) socket.pause();
  return { socket, closed: () => closed, status: () => status, received: () => received };
}

/** The head of a request, with an empty line at its end. */
export function head(
  verb: string,
  path: string,
  { token, length }: { readonly token?: string; readonly length?: number } = {},
): string {
  const lines = [`${verb} ${path} HTTP/1.1`, 'Host: test'];
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`);
  if (length !== undefined) lines.push(`Content-Length: ${length}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Closes all connections. */
export function release(held: readonly HeldSocket[]): void {
  for (const { socket } of held) socket.destroy();
}
