import { interactiveAuth } from '@steward/errors';
import type { InteractiveAuth } from '@steward/proto/steward/user/v1/interactive_pb.ts';
import type { Deps } from '../deps.ts';
import type { InteractiveSession } from '../model/interactive-session.ts';
import { openInteractiveSession, rememberedBody, type SessionScope } from './interactive-session.ts';

/** A way to authenticate: all of its stages, in any order. */
export interface Flow {
  readonly stages: readonly string[];
}

/** Why a stage was not passed; the client may try it again. */
export interface StageFailure {
  readonly errcode: string;
  readonly message: string;
}

/** One attempt to authenticate a request. */
export interface Attempt<Body> extends SessionScope {
  /** The flows, of which one suffices. */
  readonly flows: readonly Flow[];
  /** The stage that is tried, if any. */
  readonly auth: InteractiveAuth | undefined;
  /** The session that the request continues. */
  readonly session: InteractiveSession | undefined;
  /** Whether the operation runs with the request that opened the session, instead of this one. */
  readonly firstCounts: boolean;
  /** The part of this request that the operation needs. */
  readonly body: () => Body | Promise<Body>;
  /**
   * As `body`, for a new session, which stores it as JSON, so it must hold no plain password. Throws `limitExceeded` when
   * the user or the address has opened too many.
   */
  readonly bodyToStore: () => Body | Promise<Body>;
  /**
   * Tries a stage that is part of a flow. Resolves with the failure when it was not passed; an error that it
   * throws is the response.
   */
  readonly pass: (stage: string, auth: InteractiveAuth) => Promise<StageFailure | undefined>;
}

/**
 * One step of user-interactive authentication (client-plane.md 2.4). Returns, when a flow is complete, the body that
 * the operation runs with. The last stage of a flow is never stored, so a repeated request must pass it again. A request
 * that completes a flow at once stores nothing.
 *
 * @throws the 401 that names the flows and the completed stages, and what `pass` throws
 */
export async function authenticateStage<Body>(deps: Deps, attempt: Attempt<Body>): Promise<Body> {
  const { flows, auth } = attempt;
  const open = async () =>
    attempt.session ?? (await openInteractiveSession(deps, attempt, await attempt.bodyToStore()));
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

/** The response that requires a stage; the first one omits `completed`. */
function challenge(flows: readonly Flow[], session: InteractiveSession, failure?: StageFailure): Error {
  const { _id, completed } = session;
  const done = failure || completed.length > 0 ? { completed } : {};
  return interactiveAuth({ flows, params: {}, session: _id, ...done }, failure);
}
