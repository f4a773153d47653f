import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel as Level } from '@bufbuild/protobuf/wkt';
import { refuse } from '@steward/errors';
import { type Binding, compile, type ReadResult } from '@steward/http';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { MediaAdministrationService } from '@steward/proto/steward/media/v1/administration_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import type { BulkAction } from './bulk.ts';

/** Stands for the id in the path and the body of an action. */
const PLACEHOLDER = '{user_id}';

/** The services whose changes can be made for many. */
const SERVICES = [
  AccountService,
  ConditionService,
  DeviceService,
  MediaAdministrationService,
  RoleService,
  RoomOrderService,
  SecondFactorService,
  UserRedactionService,
];

/** The requests that can be made for many, those with more literal segments first: they match where another one does, too. */
const bindings: readonly Binding[] = compile(SERVICES)
  .filter(
    ({ method, rules }) =>
      rules.access === Access.ADMIN &&
      method.methodKind === 'unary' &&
      method.idempotency !== Level.NO_SIDE_EFFECTS &&
      !rules.sessionCookie,
  )
  .toSorted((a, b) => literalsOf(b) - literalsOf(a));

/** The request of an action for one id. */
export interface BulkRequest extends ReadResult {
  readonly method: DescMethodUnary;
}

/**
 * Returns the request of an action for an id.
 *
 * @throws refuse.unrecognized for a path that no request has which can be made for many
 */
export function requestFor({ method, path, body }: BulkAction, id: string): BulkRequest {
  const [target = '', query = ''] = path.replaceAll(PLACEHOLDER, encodeURIComponent(id)).split('?', 2);
  const segments = target.slice(1).split('/');
  for (const binding of bindings) {
    const params = binding.verb === method ? paramsOf(binding, segments) : undefined;
    if (!params) continue;
    const inText = JSON.stringify(id).slice(1, -1);
    const bytes = body === undefined ? undefined : Buffer.from(body.replaceAll(PLACEHOLDER, inText));
    const read = binding.read({ params, query, body: bytes, headers: {} });
    return { ...read, method: binding.method as DescMethodUnary };
  }
  throw refuse.unrecognized('No request of this path can be made for many');
}

/** Whether an action is another one for each id. */
export function hasPlaceholder({ path, body = '' }: BulkAction): boolean {
  return path.includes(PLACEHOLDER) || body.includes(PLACEHOLDER);
}

/** Whether a request sets a field that is not to be shown. */
export function hasSecret({ input }: Pick<DescMethodUnary, 'input'>, message: Message): boolean {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  return input.fields.some(({ proto, localName }) => {
    const value = values[localName];
    return proto.options?.debugRedact === true && value !== undefined && value !== '';
  });
}

function literalsOf({ segments }: Binding): number {
  return segments.filter(({ kind }) => kind === 'literal').length;
}

/** The variables of a path by name; undefined for another path. */
function paramsOf(
  { segments }: Binding,
  found: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (found.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = decoded(found[index] ?? '');
    if (text === undefined || (segment.kind === 'literal' && text !== segment.text)) return undefined;
    if (segment.kind === 'variable') params[segment.name] = text;
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
