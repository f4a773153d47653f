import { callOperation, queryOf } from './core/operation.ts';
import type { CallOptions, ClientOptions, RequestBody } from './core/options.ts';
import { createTransport, type Send } from './core/transport.ts';
import {
  type StewardEvent,
  type SubscribeOptions,
  type SubscribeParams,
  subscribe,
} from './events/subscribe.ts';
import type { Methods, TasksApi, TasksGetParams } from './gen/methods.ts';
import { operations } from './gen/operations.ts';
import type { Task } from './gen/schemas.ts';
import { type WaitOptions, waitForTask } from './tasks/wait-for-task.ts';

/** A request by its path, for what has no method of its own. */
export interface RawRequest {
  /** The method of HTTP; GET when unset. */
  readonly method?: string | undefined;
  /** Below the base URL, such as `/_service/admin/v1/me`. */
  readonly path: string;
  /** Lists are repeated parameters; undefined and null are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes or text are sent as they are; set their `content-type`. */
  readonly body?: RequestBody | undefined;
  /** Sent as JSON, in place of `body`. */
  readonly json?: unknown;
}

type GeneratedEvents = Methods extends { readonly events: infer Events } ? Events : unknown;

/** The administrative API of a server. */
export interface Client extends Omit<Methods, 'events' | 'tasks'> {
  /** The tasks of all services. */
  readonly tasks: TasksApi & {
    /**
     * Waits until a task ends, and returns it: complete, failed or cancelled, as its `state` says. Ending the wait with the
     * signal leaves the task running.
     *
     * @throws StewardError if the task cannot be read: those that ended are kept for one day
     */
    wait(params: TasksGetParams, options?: WaitOptions): Promise<Task>;
    /** @deprecated Give the id as the parameter `task_id`, as to every other method. */
    wait(taskId: string, options?: WaitOptions): Promise<Task>;
  };
  /** The feed of what happens on the server. */
  readonly events: GeneratedEvents & {
    /**
     * Yields the events of the feed as they happen, each once and in order. After a lost connection continues behind the
     * last event.
     *
     * @throws StewardError with status 410 if the server no longer has the position, or for another refusal that stays
     */
    subscribe(params?: SubscribeParams, options?: SubscribeOptions): AsyncGenerator<StewardEvent>;
    /** @deprecated Give the options as the second argument, as to every other method. */
    subscribe(params: SubscribeParams & SubscribeOptions): AsyncGenerator<StewardEvent>;
  };
  /**
   * Sends a request by its path, with the token, the middleware and the repetitions of the client.
   *
   * @throws StewardError for an answer without a status of success, TypeError for a path without a single slash in front
   */
  request(request: RawRequest, options?: CallOptions): Promise<Response>;
}

/** Returns a client of the server at `baseUrl`. Makes no request. */
export function createClient(options: ClientOptions): Client {
  const send = createTransport(options);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [group, members] of Object.entries(operations)) {
    groups[group] = Object.fromEntries(
      Object.entries(members).map(([name, operation]) => [
        name,
        (params?: Readonly<Record<string, unknown>>, call?: CallOptions) =>
          callOperation(send, `${group}.${name}`, operation, params, call),
      ]),
    );
  }
  const client = groups as unknown as Client;
  return {
    ...client,
    tasks: {
      ...client.tasks,
      wait: (task: TasksGetParams | string, call: WaitOptions = {}) => {
        const params = typeof task === 'string' ? { task_id: task } : task;
        return waitForTask((each) => client.tasks.get(params, each), call);
      },
    },
    events: {
      ...client.events,
      subscribe(
        { after, types, target, actor, ...rest }: SubscribeParams & SubscribeOptions = {},
        call: SubscribeOptions = {},
      ) {
        return subscribe(send, { after, types, target, actor }, { ...rest, ...call });
      },
    },
    request: (request, call) => sendRaw(send, request, call),
  };
}

async function sendRaw(
  send: Send,
  { method = 'GET', path, query = {}, headers = {}, body, json }: RawRequest,
  options: CallOptions = {},
): Promise<Response> {
  // Anything else could name another server, which would receive the token.
  if (!/^\/(?![/\\])/.test(path)) throw new TypeError('path must begin with a single slash');
  const content =
    json === undefined
      ? { body }
      : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  return send(
    { method: method.toUpperCase(), path: `${path}${queryOf(query)}`, ...content },
    { ...options, headers: { ...headers, ...options.headers } },
    (response) => response,
  );
}
