/** The options of the queue: a connection of the application, and the names under which BullMQ keeps it. */
import type { Redis } from 'ioredis'
import { QueueOptionsInvalid } from './errors.ts'

export interface BullmqQueueOptions {
  /** A client of ioredis, of one server or of Sentinel. Its owner closes it, after the application. */
  readonly connection: Redis
  /** Before all keys in Redis; the same as dashboards are given. Default: `bull`, as everywhere in BullMQ. */
  readonly prefix?: string
  /** Before the endpoint in the name of its queue. Applications that share a Redis take different ones. Default: `webhooks`. */
  readonly name?: string
}

const NAMES = /^[\w.-]{1,64}$/

export function readQueueOptions({ connection, prefix = 'bull', name = 'webhooks' }: BullmqQueueOptions) {
  if (typeof connection?.pipeline !== 'function') throw new QueueOptionsInvalid('connection is no client of ioredis')
  if (connection.isCluster) throw new QueueOptionsInvalid('connection is a cluster; give a client of one server')
  if (connection.options.keyPrefix) throw new QueueOptionsInvalid('connection has a keyPrefix; BullMQ takes prefix')
  if (!NAMES.test(prefix))
    throw new QueueOptionsInvalid('prefix is 1 to 64 letters, digits, dots, hyphens, underscores')
  if (!NAMES.test(name)) throw new QueueOptionsInvalid('name is 1 to 64 letters, digits, dots, hyphens, underscores')
  return { connection, prefix, name }
}
