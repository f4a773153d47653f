import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** A program that calls services with a credential of its own, as `client:<name>` and with its scopes. */
export interface ServiceClient {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** A credential that is valid at the time. */
export interface ClientCredential {
  readonly client: ServiceClient;
  /** See `digestOf`. */
  readonly digest: Buffer;
}

/** Returns the credentials of clients that are valid now. */
export type ClientCredentials = () => readonly ClientCredential[];

/** Who sent a credential: a process of the server, whose headers are believed, or a client, whose are not. */
export type Sender = 'process' | ServiceClient;

/** Who sent a credential; `undefined` for a stranger. */
export type Recognize = (credential: string | null | undefined) => Sender | undefined;

/**
 * Recognizes callers by their credentials. It compares with all credentials, whichever matches, and each comparison takes the
 * same time for every input.
 */
export function recognizer(credential: string, clients: ClientCredentials): Recognize {
  const internal = digestOf(credential);
  return (sent) => {
    if (typeof sent !== 'string') return undefined;
    const digest = digestOf(sent);
    let sender: Sender | undefined = timingSafeEqual(digest, internal) ? 'process' : undefined;
    for (const known of clients())
      if (timingSafeEqual(digest, known.digest) && sender === undefined) sender = known.client;
    return sender;
  };
}

/** The digest of a credential, which has the same length for every input, as the comparison requires. */
export function digestOf(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}
