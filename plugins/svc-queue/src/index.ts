/**
 * svc-queue: jobs that run later. A worker takes them from bounded memory, or from a queue that instances share; lanes
 * take turns, and a lane that hangs does not delay one that works.
 *
 * Decorates  nothing: packages open a `Worker`, and a store of jobs with `queueStore`
 * Hooks      none
 * Needs      the storage port of svc-stores, for a queue in a table
 */
export type { JobCodec } from './durable/admission.ts'
export { Relay, type RelayParts } from './durable/relay.ts'
export type { SharedParts } from './durable/shared-queue.ts'
export * from './errors.ts'
export * from './job.ts'
export type { LaneListing, LaneRate, LaneState, SharedLaneLimits } from './lanes.ts'
export type { LaneLimits, QueueBounds, WorkerLimits } from './options.ts'
export { PRIORITIES, type Priority } from './priority.ts'
export type { Queue } from './queue.ts'
export { type QueueTables, queueStore, TableQueue } from './table/table-queue.ts'
export type { QueueTexts } from './texts.ts'
export { Worker, type WorkerParts } from './worker.ts'
