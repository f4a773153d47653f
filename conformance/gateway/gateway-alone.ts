import {
  create,
  type DescMethodUnary,
  type DescService,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { loadConfig } from '@steward/config';
import { refuse } from '@steward/errors';
import { createGateway, services } from '@steward/gateway';
import { systemRandom } from '@steward/kernel';
import { openLimits, type UserLimit } from '@steward/limits';
import { SessionService, type TakeBodyBytesRequest } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import {
  createLocalTransport,
  defer,
  identify,
  type Requester,
  type Route,
  raiseDeferred,
} from '@steward/rpc';
import { createLogger, createMetrics } from '@steward/telemetry';
import {
  createFakeClock,
  type HttpRequest,
  queryText,
  type Reply,
  type Send,
  sendHttp,
} from '@steward/testing';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';

const SERVER_NAME = 'test';

/** The origin that injected requests are resolved against. */
const ORIGIN = 'http://localhost';

/** The response of a stubbed method. */
type Answer<M extends DescMethodUnary> = (message: MessageShape<M['input']>) => MessageInitShape<M['output']>;

/** A call that reached a stubbed method. */
export interface Call {
  /** The service and the method. */
  readonly method: string;
  /** The request; `undefined` for a stream. */
  readonly message: unknown;
}

/** A caller whose token the stubs accept. */
export interface Caller {
  readonly userId: string;
  readonly deviceId: string;
  readonly token: string;
  /** Sends a request with the caller's token, as the other verbs do. */
  readonly get: Send;
  readonly post: Send;
  readonly put: Send;
  readonly delete: Send;
}

/**
 * The gateway in the process of the test, with a stub of every service behind it. The stubs stand behind the interceptors
 * that authenticate, authorise and send deferred refusals, so the order of these checks is the real one.
 */
export class GatewayAlone {
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #callers = new Map<string, Requester>();
  readonly #answers = new Map<string, Answer<DescMethodUnary>>();
  readonly #calls: Call[] = [];
  #app: FastifyInstance | undefined;
  #url: Promise<string> | undefined;
  /** A server administrator. */
  readonly admin: Caller = this.#add({ admin: true });

  /** @param config merged into the default configuration, as `STEWARD_CONFIG_OVERRIDES` is */
  constructor(config: Readonly<Record<string, unknown>> = {}) {
    this.#config = config;
  }

  /** Creates the gateway. */
  async start(): Promise<void> {
    const config = loadConfig({
      env: { STEWARD_CONFIG: 'base', STEWARD_CONFIG_OVERRIDES: JSON.stringify(this.#config) },
      // JSON is YAML as well.
      readFile: () => JSON.stringify({ server: { name: SERVER_NAME } }),
    });
    // Nothing leaks, however long the requests of a test take.
    const clock = createFakeClock();
    const { largeBodies } = await openLimits({
      service: 'user',
      config,
      bus: {},
      clock,
      random: systemRandom,
    });
    const authenticate = async (token: string) => this.#authenticate(token);
    const transport = createLocalTransport(
      services.map((service) => this.#stub(service, largeBodies)),
      { interceptors: [identify(authenticate), defer] },
    );
    this.#app = await createGateway({
      config,
      logger: createLogger({ level: 'silent', name: 'test' }),
      random: systemRandom,
      metrics: createMetrics({ program: 'steward-gateway', release: '1.0.0' }),
      transportOf: () => transport,
      readiness: {
        read: async () => ({ phase: 'serving', isReady: true, isHealthy: true, missing: [] }),
      },
    });
  }

  /** Closes the gateway. */
  async close(): Promise<void> {
    await this.#app?.close();
  }

  /** The calls that have reached a service, in order. */
  get calls(): readonly Call[] {
    return this.#calls;
  }

  /** A new user. */
  user(): Caller {
    return this.#add({ admin: false });
  }

  /** Sets what a stubbed method returns instead of an empty message; an exception of `answer` becomes a refusal. */
  answer<M extends DescMethodUnary>(method: M, answer: Answer<M>): void {
    this.#answers.set(keyOf(method), answer as unknown as Answer<DescMethodUnary>);
  }

  /** Sends a request and waits for the response: by injection, or over a socket where injection would change it. */
  async http<Body = Record<string, unknown>>(
    verb: string,
    path: string,
    request: HttpRequest = {},
  ): Promise<Reply<Body>> {
    if (!this.#app) throw new Error('The gateway is not running');
    const url = path + queryText(path, request.query);
    if (!isInjectable(url, request)) {
      this.#url ??= this.#app.listen({ host: '127.0.0.1', port: 0 });
      return sendHttp<Body>(await this.#url, verb, path, request);
    }
    const { token, body, rawBody, headers } = request;
    const payload = Buffer.from(rawBody ?? (body === undefined ? '' : JSON.stringify(body)));
    const answer = await this.#app.inject({
      method: verb as NonNullable<InjectOptions['method']>,
      url,
      headers: {
        'content-length': String(payload.byteLength),
        ...(payload.byteLength > 0 ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(headers as InjectOptions['headers']),
      },
      payload,
    });
    return replyOf<Body>(answer);
  }

  #add({ admin }: { readonly admin: boolean }): Caller {
    const number = this.#callers.size;
    const userId = `@user-${number}:${SERVER_NAME}`;
    const deviceId = `DEVICE${number}`;
    const token = `token-${number}`;
    const none = { guest: false, shadowBanned: false, suspended: false };
    this.#callers.set(token, { userId, owner: userId, deviceId, tokenId: token, admin, ...none });
    const send =
      (verb: string): Send =>
      <Body>(path: string, request?: HttpRequest) =>
        this.http<Body>(verb, path, { token, ...request });
    return {
      ...{ userId, deviceId, token },
      ...{ get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') },
    };
  }

  #authenticate(token: string): Requester {
    const caller = this.#callers.get(token);
    if (!caller) throw refuse.unknownToken('Unknown access token');
    return caller;
  }

  /** A service whose methods record their calls and return the configured messages. */
  #stub(service: DescService, largeBodies: UserLimit): Route {
    const implementation: Record<string, unknown> = {};
    for (const method of service.methods) {
      const note = (message: unknown, context: HandlerContext) => {
        raiseDeferred(context);
        this.#calls.push({ method: keyOf(method), message });
      };
      switch (method.methodKind) {
        case 'unary':
          implementation[method.localName] = async (message: never, context: HandlerContext) => {
            note(message, context);
            return this.#answers.get(keyOf(method))?.(message) ?? create(method.output);
          };
          break;
        case 'client_streaming':
          implementation[method.localName] = async (
            pieces: AsyncIterable<unknown>,
            context: HandlerContext,
          ) => {
            for await (const _ of pieces);
            note(undefined, context);
            return create(method.output);
          };
          break;
        default:
          implementation[method.localName] = (message: unknown, context: HandlerContext) => {
            note(message, context);
            throw refuse.notFound('The stub has nothing');
          };
      }
    }
    if (service === (SessionService as DescService)) {
      implementation.authenticate = async ({ accessToken }: { accessToken: string }) =>
        this.#authenticate(accessToken);
      implementation.takeBodyBytes = ({ userId, bytes }: TakeBodyBytesRequest) => {
        largeBodies.take({ userId }, bytes);
        return {};
      };
    }
    return {
      service,
      register: (router) => router,
      implementation: implementation as Route['implementation'],
    };
  }
}

function keyOf({ parent, name }: { readonly parent: DescService; readonly name: string }): string {
  return `${parent.typeName}/${name}`;
}

/** Whether injection passes the request on unchanged: it normalises paths and supports complete bodies only. */
function isInjectable(url: string, { headers = {} }: HttpRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  const { pathname, search } = new URL(url.startsWith('//') ? ORIGIN + url : url, ORIGIN);
  return pathname + search === url;
}

function replyOf<Body>({ statusCode, payload, headers }: LightMyRequestResponse): Reply<Body> {
  let body: unknown;
  try {
    body = JSON.parse(payload);
  } catch {
    // A response without JSON has no parsed body.
  }
  return { status: statusCode, body: body as Body, text: payload, headers: headers as Reply['headers'] };
}
