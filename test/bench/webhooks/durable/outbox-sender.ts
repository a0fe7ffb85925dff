/**
 * An outbox as it is written by hand: a table, batches of a hundred in and out, claims that pass each other by, undici and
 * a signature. No retries, no turns, no leases, no endpoints that change: what a delivery costs at the least.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { BATCH, BareHttp, type BareMessage, bareBody, type Sender, type SenderSettings, SLOTS } from './sender.ts'

const KEY = Buffer.alloc(32, 7)
/** How often it looks for what others have admitted, ms. */
const LOOK_MS = 20

export interface Outbox {
  insert(messages: readonly BareMessage[]): Promise<void>
  claim(): Promise<readonly BareMessage[]>
  remove(ids: readonly string[]): Promise<void>
  close(): Promise<void>
}

export async function openOutbox(storage: string, isFirst = true): Promise<Outbox> {
  return storage.startsWith('sqlite:')
    ? sqliteOutbox(storage.slice('sqlite:'.length))
    : postgresOutbox(storage, isFirst)
}

function sqliteOutbox(path: string): Outbox {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec('create table outbox (id text primary key, body text not null, held integer not null default 0)')
  db.exec('create index outbox_free on outbox (held, id)')
  const insert = db.prepare('insert into outbox (id, body) values (?, ?)')
  const claim = db.prepare(`update outbox set held = 1
    where id in (select id from outbox where held = 0 order by id limit ${BATCH}) returning id, body`)
  const remove = db.prepare('delete from outbox where id in (select value from json_each(?))')
  return {
    async insert(messages) {
      db.exec('begin immediate')
      for (const { id, body } of messages) insert.run(id, body)
      db.exec('commit')
    },
    claim: async () => claim.all() as unknown as BareMessage[],
    remove: async (ids) => void remove.run(JSON.stringify(ids)),
    close: async () => db.close()
  }
}

async function postgresOutbox(storage: string, isFirst: boolean): Promise<Outbox> {
  const pool = new pg.Pool({ connectionString: storage, max: 4 })
  if (isFirst) {
    await pool.query(
      'create table outbox (id text primary key, body text not null, held boolean not null default false)'
    )
    await pool.query('create index outbox_free on outbox (id) where not held')
  }
  const run = (name: string, text: string, values: unknown[] = []) => pool.query<BareMessage>({ name, text, values })
  return {
    async insert(messages) {
      const values = [messages.map(({ id }) => id), messages.map(({ body }) => body)]
      await run('insert', 'insert into outbox (id, body) select * from unnest($1::text[], $2::text[])', values)
    },
    async claim() {
      const free = `select id from outbox where not held order by id limit ${BATCH} for update skip locked`
      const { rows } = await run('claim', `update outbox set held = true where id in (${free}) returning id, body`)
      return rows
    },
    remove: async (ids) => void (await run('remove', 'delete from outbox where id = any($1::text[])', [ids])),
    close: () => pool.end()
  }
}

export async function outboxSender({ storage, receiver }: SenderSettings, isFirst: boolean): Promise<Sender> {
  const outbox = await openOutbox(storage, isFirst)
  const http = new BareHttp(receiver, ({ id, body }, timestampS) => {
    return `v1,${createHmac('sha256', KEY).update(`${id}.${timestampS}.${body}`).digest('base64')}`
  })
  let waiting: BareMessage[] = []
  const sent: string[] = []
  let closed = false
  let wake = () => {}
  const worker = async () => {
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      await http.send(message)
      sent.push(message.id)
      if (sent.length >= BATCH) await outbox.remove(sent.splice(0))
    }
  }
  const work = async () => {
    while (!closed) {
      waiting = [...(await outbox.claim())]
      if (waiting.length > 0) {
        await Promise.all(Array.from({ length: SLOTS }, worker))
        continue
      }
      if (sent.length > 0) await outbox.remove(sent.splice(0))
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, LOOK_MS)
      })
    }
  }
  const working = work()
  return {
    async admit(deliveries) {
      for (let left = deliveries; left > 0; left -= BATCH) {
        await outbox.insert(newMessages(Math.min(left, BATCH)))
        wake()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    async close() {
      closed = true
      await working
      await http.close()
      await outbox.close()
    }
  }
}

export function newMessages(count: number): BareMessage[] {
  return Array.from({ length: count }, () => {
    const id = `msg_${randomUUID()}`
    return { id, body: bareBody(id) }
  })
}
