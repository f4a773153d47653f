import type { DescMethodUnary, DescService, Message, MessageShape } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { type Binding, compile } from '@steward/http';
import { headers } from '@steward/rpc';
import type { FastifyRequest } from 'fastify';
import { headerOf, type RequestContexts } from '../transcode.ts';

/** How long a call may take, in milliseconds. */
const CALL_TIMEOUT_MS = 60_000;

/** What a request to an endpoint consists of. */
interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls of the administration API on behalf of a caller of SCIM: each is a request to a documented endpoint, read by the same rules and
 * with the credential of the SCIM request, so that what it requires, refuses, records and reports is the same.
 */
export class AdminCalls {
  readonly #bindings: ReadonlyMap<DescMethodUnary, Binding>;
  readonly #transportOf: (service: DescService) => Transport;
  readonly #contexts: RequestContexts;

  constructor(
    services: readonly DescService[],
    transportOf: (service: DescService) => Transport,
    contexts: RequestContexts,
  ) {
    const first = new Map<DescMethodUnary, Binding>();
    for (const binding of compile(services)) {
      const method = binding.method as DescMethodUnary;
      if (!first.has(method)) first.set(method, binding);
    }
    this.#bindings = first;
    this.#transportOf = transportOf;
    this.#contexts = contexts;
  }

  /** Sends a request as its endpoint has it; the answer is that of the endpoint. */
  async send<Method extends DescMethodUnary>(
    request: FastifyRequest,
    method: Method,
    { params = {}, query = '', body, headers: sent = {} }: Sent,
  ): Promise<MessageShape<Method['output']>> {
    const binding = this.#bindings.get(method);
    if (!binding) throw new TypeError(`${method.name} has no path`);
    const read = binding.read({
      params,
      query,
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      headers: sent,
    });
    // A key names one request, of which the calls are parts.
    const { [headers.idempotencyKey]: _, ...header } = headerOf(
      binding,
      request,
      this.#contexts,
      read,
      'native',
    );
    const answer = await this.#transportOf(method.parent).unary(
      method,
      undefined,
      CALL_TIMEOUT_MS,
      header,
      read.message,
    );
    return answer.message as Message as MessageShape<Method['output']>;
  }
}
