/** The common parts of every service: aggregates, collections, and the shell that runs the service. */
export {
  type Aggregate,
  type AggregateDeps,
  MAX_PENDING_EFFECTS,
  type NewEffect,
  type PendingEffect,
} from './aggregate.ts';
export type {
  AggregateCollection,
  AggregateCollectionWithFields,
  FieldOperation,
  FieldUpdate,
  UnversionedFields,
} from './aggregate-collection.ts';
export type { Change, CommitOptions } from './commit.ts';
export { type Consumer, consumer } from './consumer.ts';
export { type AggregateDeclaration, declareAggregate } from './declare-aggregate.ts';
export {
  type AggregateDefinition,
  type AggregateRoot,
  type ApplyEffects,
  type Changed,
  type ChangeOptions,
  type Decided,
  type Decision,
  type DecisionAlong,
  type Deletion,
  defineAggregate,
  type Publication,
  unchanged,
} from './define-aggregate.ts';
export {
  checkBatch,
  type ImportProblem,
  insertedCount,
  isSafeNumber,
  type LoadedBatch,
} from './import-batch.ts';
export {
  breakLease,
  createLeaseHolder,
  declareLease,
  type Lease,
  type LeaseHolder,
} from './lease-holder.ts';
export { type Checked, checked, idsOf, loadBatch } from './load-batch.ts';
export {
  type CollectionList,
  type OpenedCollection,
  type OpenedCollections,
  openCollections,
} from './open-collections.ts';
export { type ServiceAccess, serviceAccess } from './service-access.ts';
export {
  type Publisher,
  type ServiceEngines,
  type ServiceOptions,
  type ServiceParts,
  type ServiceShell,
  type Sweep,
  startService,
} from './start-service.ts';
export {
  aggregateInsertion,
  type BulkCommit,
  changeAggregates,
  commitAll,
  deleteAggregates,
  insertAggregates,
} from './write-aggregates.ts';
