import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2';
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type Interceptor,
} from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { headers } from './headers.ts';
import { IDEMPOTENCY_KEY_HEADER, parseIdempotencyKey } from './idempotency-key.ts';
import { credentialOf } from './limit-unauthenticated.ts';
import { DEADLINE_LIMIT_MS } from './limits.ts';
import { REFUSED_CREDENTIAL } from './link/protocol.ts';
import { plainAddress } from './plain-address.ts';
import { parseReason, REASON_HEADER } from './reason.ts';
import type { ClientCredentials, Recognize, ServiceClient } from './recognize.ts';
import { type Requester, requesterKey } from './requester.ts';

/** How many calls of a client a process works on at once: as many as a gateway works on for a user. */
const MAX_CALLS = 100;

/** The length limit of the message of a refusal, in characters. */
const MAX_MESSAGE_LENGTH = 256;

/** The header with the id of a request, as over HTTP. */
const REQUEST_ID = 'x-request-id';

/** The clients of a server. */
export interface Clients {
  /** Returns the credentials that are valid now; the same list until they change. */
  readonly credentials: ClientCredentials;
  /** Returns the id of a call: the one that the client gave it if that is sound, else a new one. */
  readonly requestId: (sent: string | undefined) => string;
  /** Told of calls that were refused because their message is malformed, too large or missing. */
  readonly onUnreadable: (call: UnreadableCall) => void;
}

/** A call of a client whose message could not be read. */
export interface UnreadableCall {
  /** The name of the client, and its address. */
  readonly client: string;
  readonly address: string;
  /** The path of the method. */
  readonly method: string;
  readonly requestId: string;
}

/** A call of a client. */
interface ClientCall {
  readonly client: ServiceClient;
  /** The address at the other end of the connection. */
  readonly address: string;
  /** Whether the client had too many others in progress when it began. */
  readonly isExcess: boolean;
  /** The id of the call, once it was admitted. */
  admittedAs?: string;
  /** Whether its message was read. */
  isRead: boolean;
  /** Lets it count as in progress, also when the client has aborted it, until the returned function is called. */
  hold(): () => void;
}

const callKey = createContextKey<ClientCall | undefined>(undefined, {
  description: 'the call of a client',
});

/** How the calls of clients are admitted. */
export interface ClientAdmission {
  /** Returns what is known of a call before its message is received. */
  readonly contextValues: (request: Http2ServerRequest) => ContextValues;
  /** Refuses callers who are not clients, and clients with too many calls; otherwise the client is the requester. */
  readonly requestGate: (context: HandlerContext) => void;
  /** The outermost interceptor. */
  readonly interceptor: Interceptor;
}

/**
 * Admits the calls of clients. A client is the requester itself and can state no other one. Nothing that it sends in a header of
 * the server's processes is believed: its address is that of the connection.
 */
export function admitClients(
  recognize: Recognize,
  { requestId, onUnreadable }: Pick<Clients, 'requestId' | 'onUnreadable'>,
): ClientAdmission {
  const inProgress = new Map<string, number>();
  const count = (name: string, change: number) => {
    const calls = (inProgress.get(name) ?? 0) + change;
    if (calls > 0) inProgress.set(name, calls);
    else inProgress.delete(name);
    return calls;
  };
  return {
    contextValues({ headers: sent, stream }) {
      const values = createContextValues();
      const client = recognize(credentialOf(sent));
      if (client === undefined || client === 'process') return values;
      const isExcess = count(client.name, 1) > MAX_CALLS;
      // The stream is one; the handler, which may go on when the stream is closed, another.
      let holders = 0;
      const hold = () => {
        holders++;
        return () => {
          holders--;
          if (holders === 0) count(client.name, -1);
        };
      };
      stream.once('close', hold());
      stream.once('wantTrailers', () => setImmediate(closeUnread, stream));
      // A client that does not read its answers.
      stream.setTimeout(DEADLINE_LIMIT_MS, () => stream.close());
      const address = stream.session?.socket.remoteAddress ?? '';
      const call: ClientCall = {
        client,
        address: plainAddress(address) ?? address,
        isExcess,
        isRead: false,
        hold,
      };
      // A message that cannot be read is refused before the interceptors.
      stream.once('close', () => {
        const { admittedAs: id, isRead } = call;
        if (id === undefined || isRead || stream.aborted) return;
        const method = sent[':path'] ?? '';
        onUnreadable({ client: client.name, address: call.address, method, requestId: id });
      });
      return values.set(callKey, call);
    },
    requestGate({ requestHeader: header, responseHeader, values }) {
      const call = values.get(callKey);
      if (!call) throw new ConnectError(REFUSED_CREDENTIAL, Code.Unauthenticated);
      if (header.has(headers.accessToken))
        throw refuse.unknownToken('A client calls with its own scopes, and must not send an access token');
      if (call.isExcess)
        throw new ConnectError('Too many calls of this client are in progress', Code.ResourceExhausted);
      for (const name of Object.values(headers)) header.delete(name);
      const id = requestId(header.get(REQUEST_ID) ?? undefined);
      header.set(headers.requestId, id);
      call.admittedAs = id;
      responseHeader.set(REQUEST_ID, id);
      header.set(headers.clientAddress, call.address);
      const reason = parseReason(header.get(REASON_HEADER) ?? '');
      if (reason !== undefined) header.set(headers.reason, encodeURIComponent(reason));
      const key = header.get(IDEMPOTENCY_KEY_HEADER);
      if (key !== null) header.set(headers.idempotencyKey, parseIdempotencyKey(key));
      values.set(requesterKey, requesterOf(call.client));
    },
    interceptor: (next) => async (request) => {
      const call = request.contextValues.get(callKey);
      if (call) call.isRead = true;
      const release = call?.hold();
      try {
        return await next(request);
      } catch (error) {
        // The messages of a stream are read while it is handled.
        if (call && request.stream && isUnreadable(error)) call.isRead = false;
        throw shortened(error);
      } finally {
        release?.();
      }
    },
  };
}

/**
 * Closes the stream of a call that was answered before its message was received, because it was refused. Some clients then send
 * neither the rest nor the end, and the end of the connection would wait for the stream.
 */
function closeUnread(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.close();
  // What has arrived is discarded: a stream with data is not closed.
  stream.removeAllListeners('data').resume();
}

/** Whether an error is that of the parser of messages. */
function isUnreadable(error: unknown): boolean {
  return error instanceof ConnectError && error.rawMessage.startsWith('parse binary:');
}

/** A refusal whose message fits into the headers of gRPC, because it may quote the request. */
function shortened(thrown: unknown): unknown {
  if (!(thrown instanceof ConnectError) || thrown.rawMessage.length <= MAX_MESSAGE_LENGTH) return thrown;
  const message = `${thrown.rawMessage.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;
  const error = new ConnectError(message, thrown.code, thrown.metadata, undefined, thrown.cause);
  error.details = thrown.details;
  return error;
}

function requesterOf({ name, scopes }: ServiceClient): Requester {
  const id = `client:${name}`;
  return {
    userId: id,
    owner: id,
    kind: 'client',
    deviceId: undefined,
    tokenId: id,
    admin: false,
    scopes: [...scopes],
    guest: false,
    shadowBanned: false,
    suspended: false,
  };
}
