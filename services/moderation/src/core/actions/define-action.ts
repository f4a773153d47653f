import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type Message,
  type MessageInitShape,
} from '@bufbuild/protobuf';
import type { PayloadValues } from '@steward/feed';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { GivenAction } from '../../peers/actions.ts';
import type { Deps } from '../deps.ts';
import type { ReportCase } from '../model/case.ts';
import type { ActionDetails, ActionKey } from './action.ts';

/** What carrying an action out has led to. */
export interface CarriedOut {
  /** The tasks that carry it out; none if that was done at once. */
  readonly taskIds: readonly string[];
  /** The event that was sent; empty for none. */
  readonly eventId: string;
}

/** What came of an action that was only checked, or done at once without an event. */
export const AT_ONCE: CarriedOut = { taskIds: [], eventId: '' };

/** A call of an endpoint that does what an action does: its scopes are required, and it is recorded as that call is. */
export interface DocumentedCall {
  readonly method: DescMethodUnary;
  readonly request: Message;
  /** The answer of the endpoint to such a call, without what is not known: how many media were quarantined. */
  readonly answerOf: (done: CarriedOut) => Message;
  /** Values of the payload of its event that neither the request nor the answer has. */
  readonly values?: PayloadValues;
}

/** A kind of action that a resolution can order: all that the service knows of it. */
export interface ActionKind {
  /** The keys that it must have, stated or from the case. */
  readonly needs: readonly ActionKey[];
  /** Other keys that it can have. */
  readonly may?: readonly ActionKey[];
  /** Keys that take the place of one that it needs. */
  readonly inPlaceOf?: Partial<Record<ActionKey, ActionKey>>;
  /** Whether administrators cannot order it for their own account. */
  readonly notForOneself?: true;
  /** The scopes that it requires beyond those of its calls. */
  readonly scopes?: (details: ActionDetails, sender: string) => readonly Scope[];
  /** The calls of endpoints that together do the same. */
  readonly calls: (details: ActionDetails) => readonly DocumentedCall[];
  /** What it is done to by the case alone, if that says so; the keys that are needed are not required then. */
  readonly ofCase?: (stated: ActionDetails, reported: ReportCase) => ActionDetails | undefined;
  /** Looks up what it is done to, before anything is done. */
  readonly lookUp?: (deps: Pick<Deps, 'actions'>, details: ActionDetails) => Promise<ActionDetails>;
  /**
   * Carries it out, once by its id however often it is called; or only checks that it could be carried out now.
   *
   * @throws the refusal of the service that it concerns
   */
  readonly carryOut: (deps: Deps, details: ActionDetails, given: GivenAction) => Promise<CarriedOut>;
}

/** A call of a method, and what is known of its answer. */
export function call<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  answerOf: (done: CarriedOut) => MessageInitShape<O> = () => ({}) as MessageInitShape<O>,
): DocumentedCall {
  return {
    method: method as unknown as DescMethodUnary,
    request: create(method.input, request),
    // Not created as a message: that has defaults for what is not known.
    answerOf: (done) => answerOf(done) as Message,
  };
}

/** The answer of an endpoint that sends an event. */
export function sent({ eventId }: CarriedOut) {
  return { eventId };
}

/** The reason of an action, as far as it has one. */
export function reasonIn({ reason }: ActionDetails) {
  return reason === undefined ? {} : { reason };
}
