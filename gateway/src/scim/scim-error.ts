import { type Refusal, toRefusal } from '@steward/errors';
import type { FastifyReply } from 'fastify';
import { setRetryAfter } from '../transcode.ts';
import { sendScim } from './send-scim.ts';

/** The kinds of errors that RFC 7644 names (3.12), as far as they occur. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

const UNAUTHORIZED = 401;

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A refusal in the terms of SCIM. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** A request that cannot be understood or carried out. */
export const badRequest = (scimType: ScimType, detail: string) => new ScimError(400, scimType, detail);

export const notFound = () => new ScimError(404, undefined, 'There is no such resource');

/** Answers with an error in the form of SCIM; refusals of the services keep their status. */
export function sendScimError(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ScimError) return send(reply, error.status, error.scimType, error.message);
  const refusal = toRefusal(error);
  setRetryAfter(reply, refusal);
  if (refusal.status === UNAUTHORIZED) reply.header('www-authenticate', 'Bearer');
  return send(reply, refusal.status, typeOf(refusal), refusal.message);
}

function send(
  reply: FastifyReply,
  status: number,
  scimType: ScimType | undefined,
  detail: string,
): FastifyReply {
  return sendScim(reply, status, {
    schemas: [ERROR],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  });
}

function typeOf({ status, errcode }: Refusal): ScimType | undefined {
  if (status === 409 || errcode === 'M_USER_IN_USE') return 'uniqueness';
  if (errcode === 'M_NOT_JSON') return 'invalidSyntax';
  return status === 400 ? 'invalidValue' : undefined;
}
