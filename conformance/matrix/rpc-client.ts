import type { DescMethod, DescMethodStreaming, DescMethodUnary, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { ErrorInfoSchema } from '@steward/proto/google/rpc/error_details_pb.ts';
import type { RequestField } from '@steward/rpc';
import type { ServiceName, ServicePorts } from '@steward/testing';
import type { Method } from './methods.ts';
import { ADMITTED, type Outcome, outcomeOf } from './outcome.ts';
import { messageOf } from './samples.ts';

/** The deadline of a call, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The headers of a call. */
export type CallHeaders = Readonly<Record<string, string>>;

/** Says how a caller of the gRPC ports is admitted. */
export interface RpcClient {
  /** The outcome of a call of a method, with one field set. */
  call(method: Method, headers: CallHeaders, field?: RequestField): Promise<Outcome>;
}

/** The header of the credential of a process or a client. */
export function credentialHeader(credential: string): CallHeaders {
  return { 'steward-credential': credential };
}

/** The header of an access token, or of another secret that a gateway passes on as one. */
export function tokenHeader(token: string): CallHeaders {
  return { 'steward-access-token': encodeURIComponent(token) };
}

/**
 * The header by which the gateway says that it found a violation in a request. A process of the server that sends it gets that
 * refusal as the answer to each admitted call, so that the call is not carried out.
 */
export const NOT_CARRIED_OUT: CallHeaders = {
  'steward-deferred-refusal': encodeURIComponent(
    JSON.stringify({ status: 418, errcode: 'ADMITTED', message: 'The call is not to be carried out' }),
  ),
};

/** A gRPC client of all services. */
export function rpcClient({ urlOf }: ServicePorts): RpcClient {
  const transports = new Map<ServiceName, Transport>();
  const transportTo = (service: ServiceName) => {
    const transport = transports.get(service) ?? createGrpcTransport({ baseUrl: urlOf(service) });
    transports.set(service, transport);
    return transport;
  };
  return {
    async call({ desc, process }, headers, field) {
      try {
        await send(transportTo(process), desc, headers, messageOf(desc.input, field));
        return ADMITTED;
      } catch (error) {
        return failureOf(ConnectError.from(error));
      }
    },
  };
}

async function send(transport: Transport, desc: DescMethod, headers: CallHeaders, message: Message) {
  if (desc.methodKind === 'unary') {
    await transport.unary(desc as DescMethodUnary, undefined, TIMEOUT_MS, headers, message);
    return;
  }
  const messages = (async function* () {
    yield message;
  })();
  const call = new AbortController();
  const stream = desc as DescMethodStreaming;
  const answer = await transport.stream(stream, call.signal, TIMEOUT_MS, headers, messages);
  for await (const _ of answer.message) break;
  // Otherwise the call goes on, unread.
  call.abort();
}

/** The outcome of a call that failed: that of its refusal, or its status. */
function failureOf(error: ConnectError): Outcome {
  const info = error.findDetails(ErrorInfoSchema)[0];
  if (!info) return `${Code[error.code]}: ${error.rawMessage}`;
  return outcomeOf(Number(info.metadata.http_status), info.reason, error.rawMessage);
}
