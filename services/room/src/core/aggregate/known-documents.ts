import type { AdmittedMembers } from '../model/admitted-members.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Imported } from '../model/import-document.ts';

/** Documents that the caller has just inserted for the pending effects of a room, so that they need not be read. */
export interface KnownDocuments {
  /** Events that are not visible yet. */
  readonly events?: readonly EventDocument[];
  /** The content of import documents, by document id. */
  readonly imports?: ReadonlyMap<string, Imported>;
  readonly admittedMembers?: AdmittedMembers;
}
