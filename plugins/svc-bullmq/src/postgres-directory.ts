/** The directory beside BullMQ's PostgreSQL backend: three tables in its schema. Times are those of the server. */
import { runMigrations } from 'bullmq'
import type { Pool } from 'pg'
import { ADMISSION_MS, type Admitted, type Directory } from './directory.ts'

const TABLES = `
create table if not exists svc_endpoint (name text, endpoint_id text, primary key (name, endpoint_id));
create table if not exists svc_admitted (
  name text, endpoint_id text, id text, at_ms bigint not null, hastened boolean not null default false,
  primary key (name, endpoint_id, id)
);
create index if not exists svc_admitted_by_age on svc_admitted (name, at_ms);
create table if not exists svc_holder (name text, holder text, until_ms bigint not null, primary key (name, holder));`

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
/** One after the other, of all instances that start at once. */
const LOCK = 7_300_114
const LOOKED_AT_ONCE = 100

export class PostgresDirectory implements Directory {
  readonly #pool: Pool
  readonly #name: string
  #ready: Promise<void> | null = null

  /** @param name of the queues, before all that is stored for them */
  constructor(pool: Pool, name: string) {
    this.#pool = pool
    this.#name = name
  }

  /** Makes what BullMQ and the directory need. What fails is tried again by the next call. */
  open(): Promise<void> {
    this.#ready ??= this.#open().catch((error: unknown) => {
      this.#ready = null
      throw error
    })
    return this.#ready
  }

  async lanes(): Promise<string[]> {
    const found = await this.#query<{ endpoint_id: string }>('select endpoint_id from svc_endpoint where name = $1')
    return found.map(({ endpoint_id }) => endpoint_id)
  }

  async list(lanes: readonly string[]): Promise<void> {
    await this.#query('insert into svc_endpoint select $1, unnest($2::text[]) on conflict do nothing', lanes)
  }

  async unlist(lane: string): Promise<void> {
    await this.#query('delete from svc_endpoint where name = $1 and endpoint_id = $2', lane)
  }

  async note(jobs: readonly Admitted[]): Promise<void> {
    const text = `insert into svc_admitted select $1, e, i, ${NOW} from unnest($2::text[], $3::text[]) as t(e, i) on conflict do nothing`
    await this.#query(text, ...columns(jobs))
  }

  async forget(jobs: readonly Admitted[]): Promise<void> {
    await this.#query(`delete ${AMONG}`, ...columns(jobs))
  }

  async unhurried(jobs: readonly Admitted[]): Promise<Admitted[]> {
    const text = `select endpoint_id, id ${AMONG} and not hastened order by at_ms desc`
    const found = await this.#query<Stored>(text, ...columns(jobs))
    return found.map(({ endpoint_id: lane, id }) => ({ lane, id }))
  }

  async reschedule(jobs: readonly Admitted[]): Promise<void> {
    await this.#mark(jobs, true)
  }

  async slow(jobs: readonly Admitted[]): Promise<void> {
    await this.#mark(jobs, false)
  }

  async oldestMs(exists: (job: Admitted) => Promise<boolean>): Promise<number | null> {
    for (let skipped = 0; ; ) {
      const text = `select endpoint_id, id, ${NOW} - at_ms as age from svc_admitted where name = $1 order by at_ms limit ${LOOKED_AT_ONCE} offset $2`
      const found = await this.#query<Stored & { age: string }>(text, skipped)
      if (found.length === 0) return null
      for (const { endpoint_id: lane, id, age } of found) {
        const job = { lane, id }
        if (await exists(job)) return Math.max(0, Number(age))
        if (Number(age) > ADMISSION_MS) await this.forget([job])
        else skipped += 1
      }
    }
  }

  async enter(worker: string, leaseMs: number): Promise<boolean> {
    await this.#query(`delete from svc_holder where name = $1 and until_ms < ${NOW}`)
    const text = `insert into svc_holder values ($1, $2, ${NOW} + $3) on conflict do nothing returning holder`
    return (await this.#query(text, worker, leaseMs)).length === 1
  }

  async stay(worker: string, leaseMs: number): Promise<boolean> {
    const text = `update svc_holder set until_ms = ${NOW} + $3 where name = $1 and holder = $2 and until_ms >= ${NOW} returning holder`
    return (await this.#query(text, worker, leaseMs)).length === 1
  }

  async go(worker: string): Promise<void> {
    await this.#query('delete from svc_holder where name = $1 and holder = $2', worker)
  }

  /** BullMQ counts them by itself there, one at a time. @param queue whole name */
  async setAttempts(queue: string, worker: string, id: string, attempts: number): Promise<void> {
    await this.open()
    const text = 'update job set attempts_made = $4 where queue = $1 and id = $2 and lock_token = $3'
    await this.#pool.query(text, [queue, id, worker, attempts])
  }

  async #mark(jobs: readonly Admitted[], hastened: boolean): Promise<void> {
    if (jobs.length === 0) return
    await this.#query(
      'update svc_admitted set hastened = $4 where name = $1 and (endpoint_id, id) in (select * from unnest($2::text[], $3::text[]))',
      ...columns(jobs),
      hastened
    )
  }

  async #query<Row extends object>(text: string, ...values: readonly unknown[]): Promise<Row[]> {
    await this.open()
    return (await this.#pool.query<Row>(text, [this.#name, ...values])).rows
  }

  async #open(): Promise<void> {
    const client = await this.#pool.connect()
    try {
      await runMigrations(client)
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(${LOCK})`)
      await client.query(TABLES)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }
}

interface Stored {
  readonly endpoint_id: string
  readonly id: string
}

const AMONG =
  'from svc_admitted where name = $1 and (endpoint_id, id) in (select * from unnest($2::text[], $3::text[]))'

function columns(jobs: readonly Admitted[]): readonly [endpoints: string[], ids: string[]] {
  return [jobs.map(({ lane }) => lane), jobs.map(({ id }) => id)]
}
