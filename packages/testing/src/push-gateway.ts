import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The path at which push gateways are called. */
export const NOTIFY_PATH = '/_matrix/push/v1/notify';

/** A notification as a push gateway receives it. */
export interface Notification {
  readonly event_id?: string;
  readonly room_id?: string;
  readonly counts: { readonly unread: number };
  readonly devices: readonly { readonly pushkey: string }[];
}

/** How a push gateway answers; 200 accepts a notification. */
export interface PushAnswer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A push gateway of a test. */
export interface PushGateway {
  /** Its address, without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts a push gateway.
 *
 * @param answerTo decides how a notification is answered that was sent to a path; never, if it returns `undefined`
 */
export async function startPushGateway(
  answerTo: (
    notification: Notification,
    path: string,
  ) => PushAnswer | undefined | Promise<PushAnswer | undefined>,
): Promise<PushGateway> {
  const server = createServer(async (request, response) => {
    const { notification } = (await json(request)) as { notification: Notification };
    const answer = await answerTo(notification, request.url ?? '');
    if (!answer) return;
    const { status, body = {}, headers } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
