import { createHash } from 'node:crypto';
import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { PlanSchema } from '@steward/proto/steward/plan/v1/plan_pb.ts';
import { plannedMethod } from '@steward/rpc';

/** How many of the selected things an answer has. */
const SAMPLE = 20;

/** What an action takes before and after what it changes, in milliseconds. */
const USUAL_MS = 20;

/** What an action takes for each thing that it changes in its own service, and for each consequence in another one, in milliseconds. */
const CHANGE_MS = 0.2;
const CONSEQUENCE_MS = 10;

/** Things of a kind; `atLeast` when there may be more of them. */
interface Counted {
  readonly kind: string;
  readonly count: number;
  readonly atLeast?: boolean;
}

/** What a request would do. */
export interface Planned {
  /** Kinds of which there are none are left out of the answer. */
  readonly changes: readonly (Counted & { readonly change: 'changed' | 'created' | 'removed' })[];
  /** Some of what the request selects: its first ones are answered. */
  readonly sample?: readonly { readonly kind: string; readonly id: string; readonly name?: string | null }[];
  readonly follows?: readonly (Counted & { readonly service: 'user' | 'room' | 'media' | 'moderation' })[];
  /** What cannot be undone, by kind. */
  readonly irreversible?: readonly string[];
  /** What else identifies what would change. */
  readonly state?: readonly (string | number | boolean)[];
}

/** The planner of a method. */
export interface Planner {
  readonly method: DescMethod;
  readonly plan: (request: Message, context: HandlerContext) => Promise<Planned>;
}

/**
 * Pairs a method with what plans it: makes the checks of the method, in their order, and reads what the method would change. It writes
 * nothing.
 */
export function planner<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  plan: (request: MessageShape<I>, context: HandlerContext) => Promise<Planned>,
): Planner {
  return { method, plan: plan as Planner['plan'] };
}

/** The implementation of `PlanCall` of a service, whose calls `planCalls` has taken for those of the planned methods. */
export function plans(planners: readonly Planner[]) {
  const known = new Map(planners.map(({ method, plan }) => [method, plan]));
  return async (
    request: unknown,
    context: HandlerContext,
  ): Promise<{ readonly plan: MessageInitShape<typeof PlanSchema> }> => {
    const method = plannedMethod(context);
    const plan = method && known.get(method);
    if (!plan) throw new TypeError(`${method ?? 'A call that nothing plans'} has no planner`);
    const message = request as Message;
    return { plan: answerOf(method, message, await plan(message, context)) };
  };
}

function answerOf(
  method: DescMethodUnary,
  message: Message,
  { changes, sample = [], follows = [], irreversible = [], state = [] }: Planned,
): MessageInitShape<typeof PlanSchema> {
  const changed = changes.filter(isSome);
  const following = follows.filter(isSome);
  const answered = sample.slice(0, SAMPLE);
  const basis = [method.toString(), changed, answered, following, irreversible, state];
  const digest = createHash('sha256')
    .update(toBinary(method.input, message))
    .update(JSON.stringify(basis))
    .digest('base64url');
  const work = sumOf(changed) * CHANGE_MS + sumOf(following) * CONSEQUENCE_MS;
  return {
    dryRun: true,
    changes: changed.map((each) => ({ ...each, count: BigInt(each.count) })),
    sample: answered.map(({ kind, id, name }) => ({ kind, id, ...(name ? { name } : {}) })),
    follows: following.map((each) => ({ ...each, count: BigInt(each.count) })),
    irreversible: [...irreversible],
    digest,
    estimatedMs: BigInt(Math.ceil(USUAL_MS + work)),
  };
}

function isSome({ count, atLeast = false }: Counted): boolean {
  return count > 0 || atLeast;
}

function sumOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}
