/** The options of the queue: where BullMQ keeps it, and the names under which it does. */
import type { ConnectionOptions } from 'node:tls'
import type { Redis } from 'ioredis'
import { QueueOptionsInvalid } from './errors.ts'

interface Named {
  /** Before the lane, such as an endpoint, in the name of its queue. Applications that share a backend take different ones. Default: `webhooks`. */
  readonly name?: string
}

/** BullMQ on Redis, over a connection of the application. */
export interface OnRedis extends Named {
  /** A client of ioredis, of one server or of Sentinel. Its owner closes it, after the application. */
  readonly connection: Redis
  /** Before all keys in Redis; the same as dashboards are given. Default: `bull`, as everywhere in BullMQ. */
  readonly prefix?: string
}

/** BullMQ on PostgreSQL. */
export interface OnPostgres extends Named {
  /** As `pg` takes it. The queue has its own pool, and the schema `bullmq`. */
  readonly postgres: PostgresConnection
}

/** What `pg` reads of a connection and of a pool, but for `options`, which the queue sets itself. */
export interface PostgresConnection {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly user?: string
  readonly password?: string | (() => string | Promise<string>)
  readonly ssl?: boolean | ConnectionOptions
  readonly application_name?: string
  readonly keepAlive?: boolean
  /** Milliseconds, as all times here. */
  readonly keepAliveInitialDelayMillis?: number
  readonly connectionTimeoutMillis?: number
  readonly idleTimeoutMillis?: number
  readonly statement_timeout?: number | false
  readonly query_timeout?: number
  readonly lock_timeout?: number
  readonly idle_in_transaction_session_timeout?: number
  /** Connections, at most and at least. */
  readonly max?: number
  readonly min?: number
  /** A connection is used so many times, then replaced. */
  readonly maxUses?: number
  readonly maxLifetimeSeconds?: number
}

/** Where BullMQ keeps the jobs: on Redis or on PostgreSQL. */
export type BullmqQueueOptions = OnRedis | OnPostgres

export type CheckedOptions =
  | { readonly name: string; readonly connection: Redis; readonly prefix: string }
  | { readonly name: string; readonly postgres: PostgresConnection }

const NAMES = /^[\w.-]{1,64}$/
const CHARACTERS = '1 to 64 letters, digits, dots, hyphens, underscores'

/** @throws SVC_BULLMQ_OPTIONS */
export function readQueueOptions(given: BullmqQueueOptions): CheckedOptions {
  const { name = 'webhooks' } = given
  if (!NAMES.test(name)) throw new QueueOptionsInvalid(`name must be ${CHARACTERS}`)
  if ('postgres' in given) {
    if ('connection' in given) throw new QueueOptionsInvalid('connection and postgres exclude each other')
    const { postgres } = given
    if (typeof postgres !== 'object' || postgres === null) throw new QueueOptionsInvalid('postgres must be an object')
    if ('options' in postgres) throw new QueueOptionsInvalid('postgres has options; the queue sets them itself')
    return { name, postgres }
  }
  const { connection, prefix = 'bull' } = given
  if (typeof connection?.pipeline !== 'function')
    throw new QueueOptionsInvalid('connection must be a client of ioredis')
  if (connection.isCluster) throw new QueueOptionsInvalid('connection is a cluster; give a client of one server')
  if (connection.options.keyPrefix) throw new QueueOptionsInvalid('connection has a keyPrefix; BullMQ takes prefix')
  if (!NAMES.test(prefix)) throw new QueueOptionsInvalid(`prefix must be ${CHARACTERS}`)
  return { name, connection, prefix }
}
