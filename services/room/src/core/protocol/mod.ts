/** The room protocol as pure functions, without store or clock: events, authorisation, visibility. */

export { authStateKeys, isRestrictedRule, type StateKey, selectAuthEvents } from './auth-events.ts';
export { type AuthorizableEvent, authorize } from './authorize.ts';
export {
  type BuiltEvent,
  buildEvent,
  EVENT_MAX_BYTES,
  type EventContext,
  MAX_PREV_EVENTS,
  type PreviousEvent,
} from './build-event.ts';
export {
  adminForm,
  type ClientEvent,
  type ClientView,
  clientForm,
  federationForm,
  strippedState,
  strippedStateKeys,
} from './client-event.ts';
export { parseContent } from './content.ts';
export { type Denial, refuseDenied } from './denial.ts';
export {
  type EventDraft,
  type EventReference,
  isMembership,
  joinRuleOf,
  type Membership,
  type RoomEvent,
  redactedIdOf,
  type StateLookup,
  type StoredEvent,
} from './event.ts';
export {
  type EventFilter,
  filtersByRelations,
  matchesEvent,
  matchesRoom,
  matchesType,
  NO_FILTER,
  parseEventFilter,
  type RelatedEvent,
  readEventFilter,
  type TypePatterns,
} from './event-filter.ts';
export { newEventId } from './event-id.ts';
export { validateGivenMember } from './given-member.ts';
export { referenceHash, unpaddedBase64 } from './hash.ts';
export {
  isEventId,
  isNewAliasLocalpart,
  isRoomAlias,
  isRoomId,
  isStorableId,
  isUserId,
  serverNameOf,
} from './ids.ts';
export { avatarUriOf, mediaUrisOf, otherUrisOf } from './media-uris.ts';
export {
  denyGuestJoin,
  denyMembershipAction,
  type MembershipAction,
  memberContent,
  type Profile,
} from './membership-action.ts';
export {
  CREATOR_LEVEL,
  creatorsOf,
  type PoweredAction,
  type PowerLevels,
  powerLevelsOf,
} from './power-levels.ts';
export {
  inviteDraft,
  planRoom,
  type RoomPlan,
  type RoomPlanContext,
  type RoomRequest,
  topicContent,
} from './presets.ts';
export { evaluatePushRules, type PushEffect, type PushRules, readPushRules } from './push-rules.ts';
export { redact } from './redact.ts';
export { denyRedaction, isRedactable, type RedactionRequest } from './redaction.ts';
export { checkRelation, type Relation, type RelationFacts, relationOf } from './relation.ts';
export { repeatsState } from './repeated-state.ts';
export {
  type AllowingRoom,
  denyRestrictedJoin,
  listedAuthorisers,
  mayAuthoriseJoin,
  roomsThatAllow,
} from './restricted-join.ts';
export { newRoomId } from './room-id.ts';
export { findRoomVersion, type RoomVersion, readingVersion } from './room-versions.ts';
export { type SigningKey, signingKeyFromSeed } from './sign.ts';
export {
  formatRoomToken,
  formatSyncToken,
  type RoomToken,
  readToken,
  type SyncToken,
  type Token,
} from './tokens.ts';
export {
  closedPowerLevels,
  UPGRADED_TYPES,
  upgradedCreateContent,
  upgradedPowerLevels,
} from './upgrade.ts';
export { newAliases, type ValidationContext, validateEvent } from './validate-event.ts';
export {
  type Around,
  mayListAliases,
  type RoomAccess,
  type RoomStanding,
  roomAccessOf,
  type ViewOfEvent,
  type Visibility,
  visibilityOfEvent,
} from './visibility.ts';
