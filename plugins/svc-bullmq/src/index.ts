/**
 * svc-bullmq: deliveries of svc-webhooks wait in queues of BullMQ, which Redis or PostgreSQL keeps and instances share.
 *
 * Decorates  nothing: a function, whose result is `parts.queue` of svc-webhooks
 * Hooks      none
 * Needs      Redis, reached by a client of the application, or PostgreSQL 13 or later
 */
import { type BullmqQueue, EndpointQueues } from './bullmq-queue.ts'
import type { BullmqQueueOptions } from './options.ts'

export type { BullmqQueue } from './bullmq-queue.ts'
export * from './errors.ts'
export type { BullmqQueueOptions, OnPostgres, OnRedis, PostgresConnection } from './options.ts'

/** @throws SVC_BULLMQ_OPTIONS */
export function bullmqQueue(options: BullmqQueueOptions): BullmqQueue {
  return new EndpointQueues(options)
}
