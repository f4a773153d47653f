import type { AdmittedMembers } from '../model/admitted-members.ts';
import type { EventDocument } from '../model/event-document.ts';

/** Documents that the caller has just inserted for the pending effects of a room, so that they need not be read. */
export interface KnownDocuments {
  /** Events that are not visible yet. */
  readonly events?: readonly EventDocument[];
  /** The events of import documents, by document id. */
  readonly imports?: ReadonlyMap<string, readonly EventDocument[]>;
  readonly admittedMembers?: AdmittedMembers;
}
