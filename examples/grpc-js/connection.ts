import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  IdempotencyLevel,
  loadSync,
  type MessageTypeDefinition,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/proto-loader';
import { getProtoPath } from 'google-proto-files';

/** How long a call may take, in milliseconds. The services refuse deadlines of more than 360 seconds. */
const DEADLINE_MS = 30_000;

/** How long the connection may take at first, in milliseconds: a wrong address is reported soon. */
const CONNECT_MS = 2_000;

/** How long a call is repeated while a service is unavailable, in milliseconds: longer than it takes to start again. */
const REPEAT_MS = 60_000;

/** The pause before the first repetition, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** A host name stands for all addresses that it has: the calls are distributed over the instances of the service. */
const CHANNEL_OPTIONS = { 'grpc.service_config': '{"loadBalancingConfig": [{"round_robin": {}}]}' };

/** What the example calls, and the details of errors. */
const PROTOS = [
  'steward/moderation/v1/audit.proto',
  'steward/room/v1/room_deletion.proto',
  'steward/user/v1/accounts.proto',
  'steward/user/v1/conditions.proto',
  'google/rpc/error_details.proto',
  'google/rpc/status.proto',
];

/** Where the protos of steward lie: beside this file in a copy of the example, or in the repository. */
const PROTO_FOLDERS = ['proto', '../../proto'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** The messages are named and typed as in the protos; 64-bit numbers are strings. With `json`, details of errors are decoded. */
const definitions = loadSync(PROTOS, {
  includeDirs: [...PROTO_FOLDERS, getProtoPath('..')],
  keepCase: true,
  longs: String,
  enums: String,
  defaults: true,
  json: true,
});

/** How a service is reached. */
export interface Options {
  /** Its host and port. */
  readonly address: string;
  readonly credentialFile: string;
  /** The files, in PEM format, with which client and service identify each other; without them, calls are not encrypted. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
}

/** A connection to one service. */
export interface Connection {
  /**
   * Calls a method, such as `steward.user.v1.AccountService/ListUsers`. A method that changes nothing is repeated for a minute
   * while the service is unavailable. After `UNAVAILABLE` or `DEADLINE_EXCEEDED`, a change may have been made or not.
   */
  call<Response>(name: string, request: object): Promise<Response>;
  close(): void;
}

/**
 * Opens a connection.
 *
 * @throws Error with the address when no server answers there
 */
export async function connect({ address, credentialFile, tls }: Options): Promise<Connection> {
  const transport = tls
    ? credentials.createSsl(readFileSync(tls.ca), readFileSync(tls.key), readFileSync(tls.certificate))
    : credentials.createInsecure();
  const client = new Client(address, transport, CHANNEL_OPTIONS);
  await new Promise<void>((resolve, reject) => {
    client.waitForReady(Date.now() + CONNECT_MS, (error) => {
      if (!error) return resolve();
      client.close();
      reject(new Error(`There is no server for gRPC at ${address}: ${error.message}`));
    });
  });
  const callOnce = <Response>(method: MethodDefinition<object, object>, request: object) => {
    const metadata = new Metadata();
    // Read for each call, so that a new credential needs no restart.
    metadata.set('steward-credential', readFileSync(credentialFile, 'utf8').trim());
    const { path, requestSerialize, responseDeserialize } = method;
    const deadline = Date.now() + DEADLINE_MS;
    return new Promise<Response>((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline },
        (error, response) => (error ? reject(error) : resolve(response as Response)),
      );
    });
  };
  return {
    async call(name, request) {
      const method = methodOf(name);
      const isRead = method.options.idempotency_level === IdempotencyLevel.NO_SIDE_EFFECTS;
      const until = Date.now() + REPEAT_MS;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        try {
          return await callOnce(method, request);
        } catch (error) {
          const isUnavailable = (error as ServiceError).code === status.UNAVAILABLE;
          if (!isRead || !isUnavailable || Date.now() > until) throw error;
          console.error(`${explain(error)}; the call is repeated`);
        }
        // A random part of the pause, so that many clients do not return at the same moment.
        await setTimeout(pause * (0.5 + Math.random() / 2));
      }
    },
    close: () => client.close(),
  };
}

function methodOf(name: string): MethodDefinition<object, object> {
  const [service = '', method = ''] = name.split('/');
  const definition = (definitions[service] as ServiceDefinition | undefined)?.[method];
  if (!definition) throw new Error(`There is no method ${name}`);
  return definition;
}

/** Returns the status code of a failed call, the errcode if steward refused it, and the message. */
export function explain(error: unknown): string {
  const { code, details, metadata } = error as Partial<ServiceError>;
  if (code === undefined || !metadata) return error instanceof Error ? error.message : String(error);
  const [bytes] = metadata.get('grpc-status-details-bin');
  if (!(bytes instanceof Buffer)) return `${status[code]}: ${details}`;
  // The message is also in `details`, but not completely decoded.
  const refusal = statusType.deserialize(bytes);
  const info = refusal.details.find(({ domain }) => domain === 'steward');
  return `${status[code]}${info ? ` ${info.reason}` : ''}: ${refusal.message}`;
}

const statusType = definitions['google.rpc.Status'] as MessageTypeDefinition<object, Status>;

interface Status {
  readonly message: string;
  /** Each with the fields of its type, here of a `google.rpc.ErrorInfo`. */
  readonly details: readonly { readonly domain?: string; readonly reason?: string }[];
}
