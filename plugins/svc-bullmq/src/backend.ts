/** Where BullMQ keeps its queues, and what is stored beside them: Redis, or PostgreSQL. */
import { createPostgresBackend, type PgPool, Queue, type QueueOptions } from 'bullmq'
import pg from 'pg'
import type { Changes } from 'svc-queue/driver'
import type { Directory } from './directory.ts'
import type { CheckedOptions } from './options.ts'
import { PostgresDirectory } from './postgres-directory.ts'
import { RedisChanges } from './redis-changes.ts'
import { RedisDirectory } from './redis-directory.ts'

export interface Backend {
  readonly directory: Directory
  /** `undefined`: instances ask. */
  readonly changes: Changes | undefined
  /** What has to be there before a queue is asked. */
  open(): Promise<void>
  queue(name: string, options: Omit<QueueOptions, 'connection'>): Queue
  /** The data of a job. Its text is given back as it was: a message has the same bytes at each attempt. */
  pack(payload: string): unknown
  /** @param data as the backend has it, JSON */
  unpack(data: string): string
  /** Makes the number of attempts what it says, where moving a job does not. */
  setAttempts(queue: string, worker: string, id: string, attempts: number): Promise<void>
  /** Ends what it opened itself. */
  close(): Promise<void>
}

/** The schema of BullMQ, which its scripts take from the connection. */
const SEARCH_PATH = '-c search_path=bullmq'

export function backendOf(options: CheckedOptions): Backend {
  const { name } = options
  if ('connection' in options) {
    const { connection, prefix } = options
    return {
      directory: new RedisDirectory(connection, `${prefix}:${name}`),
      changes: new RedisChanges(connection, `${prefix}:${name}:changed`),
      open: () => Promise.resolve(),
      queue: (whole, given) => new Queue(whole, { ...given, connection, prefix }),
      pack: (payload) => JSON.parse(payload) as unknown,
      unpack: (data) => data,
      // `moveToDelayed` writes them.
      setAttempts: () => Promise.resolve(),
      close: () => Promise.resolve()
    }
  }
  const pool = new pg.Pool({ ...options.postgres, options: SEARCH_PATH })
  // Each call that fails says so itself. Every queue listens too.
  pool.setMaxListeners(0)
  pool.on('error', () => undefined)
  const directory = new PostgresDirectory(pool, name)
  return {
    directory,
    changes: undefined,
    open: () => directory.open(),
    queue: (whole, given) =>
      new Queue(whole, { ...given, connection: pool as PgPool }, createPostgresBackend) as unknown as Queue,
    // The server keeps JSON in its own order.
    pack: (payload) => ({ event: payload }),
    unpack: (data) => (JSON.parse(data) as { event: string }).event,
    setAttempts: (queue, worker, id, attempts) => directory.setAttempts(queue, worker, id, attempts),
    close: () => pool.end()
  }
}
