import type { Fingerprint } from '@steward/audit';
import type { DeadLetters } from '@steward/events';
import type { BackgroundRun } from '@steward/kernel';
import type { FairSlots, OpenLimits, Quotas } from '@steward/limits';
import type { Authority } from '@steward/rpc';
import type { OpenedCollections } from '@steward/service';
import type { CountOf, Counts } from '@steward/statistics';
import type { Tasks as OwnTasks } from '@steward/tasks';
import type { Actions } from '../peers/actions.ts';
import type { RemoteActivity } from '../peers/activity.ts';
import type { MediaUsage } from '../peers/media.ts';
import type { Notices } from '../peers/notice.ts';
import type { OrderedCalls } from '../peers/ordered-calls.ts';
import type { Rooms } from '../peers/rooms.ts';
import type { PeerStatistics } from '../peers/statistics.ts';
import type { Tasks } from '../peers/tasks.ts';
import type { Users } from '../peers/users.ts';
import type { ChainDeps } from './chain/chain-deps.ts';
import type { collections } from './collections.ts';
import type { CredentialWatch } from './feed/credential-watch.ts';
import type { FeedAppender } from './feed/feed-appender.ts';
import type { FeedDeps } from './feed/feed-deps.ts';
import type { FeedPublisher } from './feed/feed-publisher.ts';
import type { FeedTail } from './feed/feed-tail.ts';
import type { OutcomeWaits } from './outcome-waits.ts';
import type { Server } from './server.ts';
import type { WebhookDeps } from './webhooks/webhook-deps.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** The dependencies of the service's functions, created once by `service.ts`. */
export interface Deps extends OpenedCollections<typeof collections>, ChainDeps, FeedDeps, WebhookDeps {
  readonly notices: Notices;
  /** Identifies secrets that are targets in the audit log. */
  readonly fingerprint: Fingerprint;
  /** The retention of entries of the audit log, in milliseconds. */
  readonly auditRetentionMs: number;
  /** How long copies of what was reported are kept after the last report that shows them, in milliseconds. */
  readonly evidenceRetentionMs: number;
  /** The text of the notice that tells a reporter the outcome, see `reports.reporter_notice`. */
  readonly reporterNotice: string;
  /** Whether reporters are notified of the outcome unless the moderator says otherwise. */
  readonly notifiesReporters: boolean;
  /** Whether no one decides a case about themselves. */
  readonly forbidsOwnCases: boolean;
  /** Files reports in the inbox: those of crashed processes, imported ones, and those from before there was an inbox. */
  readonly filer: BackgroundRun;
  /** Appends entries to the hash chain. */
  readonly chainAppender: BackgroundRun;
  readonly outcomeWaits: OutcomeWaits;
  readonly feedAppender: FeedAppender;
  readonly feedTail: FeedTail;
  readonly credentialWatch: CredentialWatch;
  /** Raised when streams are to end, because the process does. */
  readonly draining: AbortSignal;
  /** Absent in one process, which has no broker. */
  readonly feedPublisher?: FeedPublisher;
  /** The retention of events of the feed, in milliseconds. */
  readonly feedRetentionMs: number;
  /** Has one slot for verifications of the audit log. */
  readonly verifySlots: FairSlots;
  readonly users: Users;
  readonly authority: Authority;
  readonly rooms: Rooms;
  /** Carries out what resolutions order of other services. */
  readonly actions: Actions;
  /** Makes the requests of a bulk. */
  readonly orderedCalls: OrderedCalls;
  readonly tasks: Tasks;
  /** The tasks of this service. */
  readonly ownTasks: OwnTasks;
  /** Absent where nothing is sent, as during imports. */
  readonly webhookSender?: WebhookSender;
  readonly deadLetters: DeadLetters;
  readonly server: Server;
  readonly media: MediaUsage;
  readonly activity: RemoteActivity;
  readonly peerStatistics: PeerStatistics;
  /** Counts what happens, for the statistics. */
  readonly counts: Counts<CountOf<'moderation'>>;
  /** How long the figures of an hour are kept, in milliseconds. */
  readonly statisticsRetentionMs: number;
  readonly limits: OpenLimits;
  readonly quotas: Quotas;
}
