/**
 * A process of its own that takes one lock again and again and writes with its fence: some entries at once, the rest when
 * a line comes on its input. It says what it does on its output, a JSON line each. Arguments: URL, name of the process.
 */
import { once } from 'node:events'
import Fastify from 'fastify'
import svcOrm, { defineEntity, type HeldLock } from 'svc-orm'
import svcSqlorm from '../../src/index.ts'

export const Page = defineEntity({
  name: 'Page',
  schema: { fence: { type: 'integer', default: 0 }, writes: { type: 'integer', default: 0 } }
})
export const Entry = defineEntity({
  name: 'Entry',
  schema: { place: { type: 'integer', unique: true }, fence: { type: 'integer' }, writer: { type: 'string' } }
})

/** `stale`: whether a write with the fence of a lock that is lost was taken. */
export interface Said {
  readonly what: 'written' | 'lost' | 'stale' | 'failed'
  readonly fence?: number
  readonly taken?: boolean
  readonly code?: string
}

const WRITES = 10

if (process.argv[2] !== undefined) {
  const [, , url, writer = ''] = process.argv
  const fastify = Fastify()
  await fastify.register(svcOrm, { parts: { entities: [Page, Entry] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  await fastify.ready()
  const { orm } = fastify
  const say = (said: Said) => void process.stdout.write(`${JSON.stringify(said)}\n`)

  /** One entry, unless a later holder has written. */
  const write = (fence: number) =>
    orm.repository(Page).withTransaction(async (pages, tx) => {
      const page = await pages.updateOne({ fence: { $lte: fence } }, { fence })
      if (page === null) return false
      await pages.increment({ id: page.id }, 'writes')
      await orm.repository(Entry).withTransaction(tx).create({ place: page.writes, fence, writer })
      return true
    })

  const work = async ({ fence, signal }: HeldLock) => {
    signal.addEventListener('abort', async () => say({ what: 'stale', fence, taken: await write(fence) }))
    for (let count = 0; count < WRITES; count += 1) await write(fence)
    say({ what: 'written', fence })
    await once(process.stdin, 'data', { signal }).catch(() => undefined)
    for (let count = 0; count < WRITES && !signal.aborted; count += 1) await write(fence)
  }

  // Neither timers nor SQLite keep a process alive.
  process.stdin.resume()
  for (;;) {
    await orm.lock('page', work, { waitMs: 60_000, leaseMs: 1000 }).catch(({ code }: { code: string }) => {
      say(code === 'SVC_ORM_LOCK_LOST' ? { what: 'lost' } : { what: 'failed', code })
    })
  }
}
