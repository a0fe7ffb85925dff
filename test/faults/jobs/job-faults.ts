/** What can happen where jobs are stored and wait, beside what a backend has: it is slow or full, and another client is in the way. */
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import pg from 'pg'
import type { Backend, Fault } from '../campaign/backends/backend.ts'
import { SlowProxy } from './slow-proxy.ts'

/** Of each chunk, ms: a statement takes twice as long, a transaction many times. */
const SLOW_MS = 40

/** A storage whose faults are those of its backend, and these. */
export interface JobStorage {
  readonly storage: string
  readonly redis: string | undefined
  readonly faults: readonly Fault[]
  close(): void
}

export async function jobStorage({ storage, redis, faults }: Backend): Promise<JobStorage> {
  if (storage.startsWith('sqlite:')) {
    const busy = heldFile(storage.slice('sqlite:'.length))
    if (redis === undefined) return { storage, redis, faults: [...faults, busy], close: () => undefined }
    const server = new URL(redis)
    const proxy = await SlowProxy.before(Number(server.port))
    server.port = String(proxy.port)
    const all = [...faults, slow(proxy), fullServer(redis), busy]
    return { storage, redis: server.href, faults: all, close: () => proxy.close() }
  }
  const url = new URL(storage)
  const proxy = await SlowProxy.before(Number(url.port))
  url.port = String(proxy.port)
  // The members of a set are asked for their own addresses, which lead past the proxy.
  if (url.searchParams.has('replicaSet')) url.search = '?directConnection=true'
  const idle = storage.startsWith('postgres:') ? idleOnPostgres(storage) : idleOnDocuments(storage)
  return { storage: url.href, redis, faults: [...faults, slow(proxy), idle], close: () => proxy.close() }
}

function slow(proxy: SlowProxy): Fault {
  const delay = (ms: number) => () => {
    proxy.delayMs = ms
  }
  return { name: 'the server is slow', readable: true, strike: delay(SLOW_MS), mend: delay(0) }
}

/** Of Redis: it answers, and refuses whatever takes memory. */
function fullServer(url: string): Fault {
  const limited = (bytes: number) => async () => {
    const client = new Redis(url)
    await client.config('SET', 'maxmemory', bytes)
    client.disconnect()
  }
  return { name: 'the server is full', readable: true, strike: limited(1), mend: limited(0) }
}

const IDLE = { name: 'a transaction idles', readable: true }

/** It holds a snapshot, so that no dead row can go, the rows of jobs that wait, and that of a lane. */
function idleOnPostgres(storage: string): Fault {
  let client: pg.Client | null = null
  return {
    ...IDLE,
    strike: async () => {
      client = new pg.Client({ connectionString: storage })
      client.on('error', () => undefined)
      await client.connect()
      // Read committed, which fails for no row that changed meanwhile; the open cursor keeps its snapshot.
      await client.query('begin')
      await client.query(
        `select id from svc_job_queue where holder = '' order by "dueAt" limit 20 for update skip locked`
      )
      await client.query(`select id from svc_job_lane where id = 'till' for update skip locked`)
      await client.query('declare snapshot cursor for select id from svc_job')
    },
    mend: async () => {
      await client?.end()
      client = null
    }
  }
}

/** The same on documents. What is about to change there is a conflict, and stays with whoever changes it. */
function idleOnDocuments(storage: string): Fault {
  let client: MongoClient | null = null
  return {
    ...IDLE,
    strike: async () => {
      client = await new MongoClient(storage).connect()
      const session = client.startSession()
      session.startTransaction()
      const change = { $set: { kept: 1 } }
      const lane = client.db().collection<{ _id: string }>('job_lane')
      const queue = client.db().collection('job_queue')
      await lane
        .updateOne({ _id: 'till' }, change, { session })
        .then(() => queue.updateMany({ holder: '' }, change, { session }))
        .catch(() => undefined)
    },
    mend: async () => {
      await client?.close()
      client = null
    }
  }
}

/** Of a file: all writers wait. */
function heldFile(path: string): Fault {
  let writer: DatabaseSync | null = null
  return {
    name: 'another writer holds the file',
    readable: true,
    strike: () => {
      writer = new DatabaseSync(path)
      writer.exec('pragma busy_timeout = 5000')
      writer.exec('begin immediate')
    },
    mend: () => {
      writer?.exec('rollback')
      writer?.close()
      writer = null
    }
  }
}
