import type { AdmittedMembers } from '../model/admitted-members.ts';
import type { EventDocument } from '../model/event-document.ts';

/** What has just been inserted for the pending effects of a room and need not be read. */
export interface KnownDocuments {
  /** Events that cannot be seen yet. */
  readonly events?: readonly EventDocument[];
  /** The events of import documents, by the ids of these. */
  readonly imports?: ReadonlyMap<string, readonly EventDocument[]>;
  readonly admittedMembers?: AdmittedMembers;
}
