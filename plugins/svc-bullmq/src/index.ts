/**
 * svc-bullmq: a driver of svc-queue. It keeps jobs in BullMQ queues on Redis or PostgreSQL, which instances share.
 *
 * Decorates  nothing: it exports a function, whose result is `parts.queue` of svc-jobs and svc-webhooks
 * Hooks      none
 * Needs      a Redis client of your application, or PostgreSQL 13 or later
 */
import { type BullmqQueue, LaneQueues } from './bullmq-queue.ts'
import type { BullmqQueueOptions } from './options.ts'

export type { BullmqQueue } from './bullmq-queue.ts'
export * from './errors.ts'
export type { BullmqQueueOptions, OnPostgres, OnRedis, PostgresConnection } from './options.ts'

/** @throws SVC_BULLMQ_OPTIONS */
export function bullmqQueue(options: BullmqQueueOptions): BullmqQueue {
  return new LaneQueues(options)
}
