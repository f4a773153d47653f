import { interactiveAuth } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import type { Deps } from '../deps.ts';
import type { InteractiveSession } from '../model/interactive-session.ts';
import { openInteractiveSession, rememberedBody, type SessionScope } from './interactive-session.ts';

/** The stages of which all are to be done, in any order. */
export interface Flow {
  readonly stages: readonly string[];
}

/** Why a stage was not passed; it may be tried again. */
export interface StageFailure {
  readonly errcode: string;
  readonly message: string;
}

/** A request that is to be authenticated, as one try at it looks. */
export interface Attempt<Body> extends SessionScope {
  /** The ways to authenticate: one of them suffices. */
  readonly flows: readonly Flow[];
  /** The stage that is tried, if any. */
  readonly auth: InteractiveAuth | undefined;
  /** The session that the request goes on with. */
  readonly session: InteractiveSession | undefined;
  /** Whether the request that opened the session counts, and not this one. */
  readonly firstCounts: boolean;
  /** What the operation needs of this request; becomes JSON, so it holds no password in clear. */
  readonly body: () => Body | Promise<Body>;
  /**
   * Tries a stage that is part of a flow. Resolves with the failure when it was not passed; what it
   * throws is the answer.
   */
  readonly pass: (stage: string, auth: InteractiveAuth) => Promise<StageFailure | undefined>;
}

/**
 * One step of user-interactive authentication (client-plane.md 2.4). Returns when a flow is complete,
 * with what the operation has to run with. The last stage of a flow is never remembered: who repeats the request proves themselves again.
 *
 * @throws the 401 that asks for what is still missing, and what `pass` throws
 */
export async function authenticateStage<Body>(deps: Deps, attempt: Attempt<Body>): Promise<Body> {
  const { flows, auth } = attempt;
  const open = async () =>
    attempt.session ?? (await openInteractiveSession(deps, attempt, await attempt.body()));
  if (auth?.type === undefined) throw challenge(flows, await open());

  const stage = auth.type;
  const failure = flows.some(({ stages }) => stages.includes(stage))
    ? await attempt.pass(stage, auth)
    : { errcode: 'M_UNRECOGNIZED', message: 'This stage is not part of the flow' };
  if (failure) throw challenge(flows, await open(), failure);

  const completed = new Set([...(attempt.session?.completed ?? []), stage]);
  if (!flows.some(({ stages }) => stages.every((required) => completed.has(required)))) {
    const session = await open();
    await deps.interactiveSessions.updateOne({ _id: session._id }, { $addToSet: { completed: stage } });
    throw challenge(flows, { ...session, completed: [...completed] });
  }
  const { session } = attempt;
  return session && attempt.firstCounts ? rememberedBody<Body>(session) : attempt.body();
}

/** The answer that asks for a stage; `completed` is left out of the first one. */
function challenge(flows: readonly Flow[], session: InteractiveSession, failure?: StageFailure): Error {
  const { _id, completed } = session;
  const done = failure || completed.length > 0 ? { completed } : {};
  return interactiveAuth({ flows, params: {}, session: _id, ...done }, failure);
}
