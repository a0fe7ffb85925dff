/** A queue driver as an application would write it: two tables of SQLite, one statement or transaction for each operation. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Queue } from 'svc-queue'
import {
  type DueJob,
  type HeldJob,
  MISSED_HEARTBEATS,
  type NewJob,
  type OutcomeBatch,
  type PendingJobs,
  type QueueCounts
} from 'svc-queue/driver'

const TABLES = `
create table if not exists job (
  id text primary key, lane text not null, payload text not null, attempts integer not null default 0,
  worker text, due integer not null, admitted integer not null, traceparent text
);
create index if not exists job_by_turn on job (worker, lane, due, admitted);
create table if not exists lease (worker text primary key, expired integer not null default 0);
create table if not exists missed (watcher text, worker text, heartbeats integer not null, primary key (watcher, worker));`

export class SqliteQueue implements Queue {
  readonly #database: DatabaseSync
  readonly #now: () => number

  constructor(path: string, now: () => number) {
    this.#database = new DatabaseSync(path)
    this.#database.exec(TABLES)
    this.#now = now
  }

  async admit(worker: string, jobs: readonly NewJob[]): Promise<readonly string[]> {
    return this.#together(() => {
      const holder = this.#lives(worker) ? worker : null
      const now = this.#now()
      const text =
        'insert into job (id, lane, payload, worker, due, admitted, traceparent) values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing'
      for (const { id, lane, payload, held, traceparent = null, delayMs = 0 } of jobs) {
        this.#run(text, id, lane, payload, held ? holder : null, now + delayMs, now, traceparent)
      }
      const held = jobs.filter((job) => job.held)
      return held
        .map(({ id }) => id)
        .filter((id) => this.#all('select 1 from job where id = ? and worker = ?', id, worker).length > 0)
    })
  }

  /** One job of each lane, then another one of each, as long as there is room. */
  async claim(worker: string, limit: number, room: (lane: string) => number): Promise<readonly HeldJob[]> {
    return this.#together(() => {
      if (!this.#lives(worker)) return []
      const due = 'from job where worker is null and due <= ?'
      const lanes = this.#all(`select lane, min(due) as first ${due} group by lane order by first`, this.#now())
      const rooms = new Map(lanes.map(({ lane }) => [String(lane), room(String(lane))]))
      const claimed: HeldJob[] = []
      for (let before = -1; claimed.length < limit && before !== claimed.length; ) {
        before = claimed.length
        for (const [lane, left] of rooms) {
          if (left <= 0 || claimed.length === limit) continue
          const [row] = this.#all(`select * ${due} and lane = ? order by due, admitted limit 1`, this.#now(), lane)
          if (row === undefined) continue
          rooms.set(lane, left - 1)
          this.#run('update job set worker = ? where id = ?', worker, String(row.id))
          claimed.push(jobOf(row))
        }
      }
      return claimed.sort((a, b) => this.#admitted(a.id) - this.#admitted(b.id))
    })
  }

  /** A worker has expired when another one, which lives, missed its heartbeats: no times are compared. */
  async heartbeat(worker: string): Promise<boolean> {
    return this.#together(() => {
      const [known] = this.#all('select expired from lease where worker = ?', worker)
      if (known?.expired === 1) {
        this.#run('delete from lease where worker = ?', worker)
        return false
      }
      this.#run('insert into lease (worker) values (?) on conflict do nothing', worker)
      this.#run('update missed set heartbeats = 0 where worker = ?', worker)
      this.#run(
        `insert into missed select ?, worker, 0 from lease where worker <> ? and expired = 0
         on conflict do update set heartbeats = heartbeats + 1`,
        worker,
        worker
      )
      const dead = this.#all(
        'select worker from missed where watcher = ? and heartbeats > ?',
        worker,
        MISSED_HEARTBEATS
      )
      for (const { worker: other } of dead) this.#end(String(other), 'update lease set expired = 1 where worker = ?')
      return true
    })
  }

  async settle(worker: string, { ended, retried, released }: OutcomeBatch): Promise<void> {
    this.#together(() => {
      for (const id of ended) this.#run('delete from job where id = ?', id)
      for (const { id, attempts, delayMs } of retried) {
        const text = 'update job set worker = null, attempts = ?, due = ? where id = ? and worker = ?'
        this.#run(text, attempts, this.#now() + delayMs, id, worker)
      }
      for (const id of released) this.#run('update job set worker = null where id = ? and worker = ?', id, worker)
    })
  }

  async reschedule(lane: string, limit: number): Promise<number> {
    const text = `update job set due = 0 where id in
      (select id from job where worker is null and lane = ? and due > 0 order by due, admitted limit ?)`
    return this.#run(text, lane, limit)
  }

  async discard(lane: string): Promise<number> {
    return this.#run('delete from job where worker is null and lane = ?', lane)
  }

  async counts(): Promise<QueueCounts> {
    const text = 'select count(*) - count(worker) as waiting, count(worker) as held, min(admitted) as oldest from job'
    const [{ waiting, held, oldest } = {}] = this.#all(text)
    return {
      waiting: Number(waiting),
      held: Number(held),
      oldestMs: oldest === null ? null : this.#now() - Number(oldest)
    }
  }

  async pending(lane: string, limit: number): Promise<PendingJobs> {
    const text = 'select count(*) - count(worker) as waiting, count(worker) as held from job where lane = ?'
    const [{ waiting, held } = {}] = this.#all(text, lane)
    const rows = this.#all(
      'select * from job where worker is null and lane = ? order by due, admitted limit ?',
      lane,
      limit
    )
    const next: DueJob[] = rows.map((row) => ({ ...jobOf(row), dueAt: Number(row.due === 0 ? row.admitted : row.due) }))
    return { waiting: Number(waiting), held: Number(held), next }
  }

  async leave(worker: string): Promise<void> {
    this.#together(() => this.#end(worker, 'delete from lease where worker = ?'))
  }

  close(): void {
    this.#database.close()
  }

  #end(worker: string, lease: string): void {
    this.#run('update job set worker = null where worker = ?', worker)
    this.#run('delete from missed where worker = ? or watcher = ?', worker, worker)
    this.#run(lease, worker)
  }

  #lives(worker: string): boolean {
    return this.#all('select 1 from lease where worker = ? and expired = 0', worker).length > 0
  }

  #admitted(id: string): number {
    return Number(this.#all('select admitted from job where id = ?', id)[0]?.admitted)
  }

  #all(text: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.#database.prepare(text).all(...values)
  }

  #run(text: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(text).run(...values).changes)
  }

  #together<Value>(work: () => Value): Value {
    this.#database.exec('begin immediate')
    try {
      const value = work()
      this.#database.exec('commit')
      return value
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    }
  }
}

function jobOf({ id, lane, payload, attempts, traceparent }: Record<string, unknown>): HeldJob {
  const job = { id: String(id), lane: String(lane), payload: String(payload), attempts: Number(attempts) }
  return traceparent === null ? job : { ...job, traceparent: String(traceparent) }
}
