/** Behind PgBouncer in transaction mode, where no two transactions have to share a connection; skipped where there is none. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { defineEntity } from 'svc-orm'
import type { Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { freePort, type PostgresServer } from '../support/postgres-server.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const EVENT = defineEntity({ name: 'Event', schema: { number: { type: 'integer', unique: true } } })

const installed = spawnSync('pgbouncer', ['--version']).status === 0

/** Three connections to the server for all. @returns the URL of the database through it */
async function pooled(t: Test, server: PostgresServer): Promise<string> {
  const database = new URL(await server.createDatabase()).pathname.slice(1)
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  const port = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout'
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const target = `host=127.0.0.1 port=${server.port} dbname=${database} user=svc`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\n${database} = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`)
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('process up')) break
  child.stderr.resume()
  return `postgres://svc:secret@127.0.0.1:${port}/${database}`
}

async function shared(t: Test, server: PostgresServer): Promise<void> {
  const url = await pooled(t, server)
  const setting = { entities: [EVENT], prepare: false, poolSize: 12, lockTimeoutMs: 20_000 }
  const { fastify } = await sqlApp(t, url, setting)
  await fastify.ready()
  const events = fastify.orm.repository(EVENT)
  let holders = 0
  const all = Array.from({ length: 60 }, async (_, number) => {
    await fastify.orm.transaction(async (tx) => {
      const inside = events.withTransaction(tx)
      await inside.create({ number })
      await inside.updateOne({ number }, { number: number + 1000 })
    })
    const found = await events.find({ number: { $in: [number, number + 1000] } })
    if (number % 10 !== 0) return found.length
    return fastify.orm.lock(
      'one at a time',
      async () => {
        holders += 1
        t.equal(holders, 1)
        await events.count()
        holders -= 1
        return found.length
      },
      { waitMs: 30_000 }
    )
  })
  t.strictSame(
    await Promise.all(all),
    all.map(() => 1)
  )
  t.equal(await events.count({ number: { $gte: 1000 } }), 60)
  const second = await sqlApp(t, url, setting)
  await second.fastify.ready()
  t.equal(await second.fastify.orm.repository(EVENT).count(), 60, 'another instance boots on the same schema')
}

await onPostgres(async (t, server) => {
  if (installed) await t.test('transactions, locks and boots share three connections', (t) => shared(t, server))
  else await t.test('PgBouncer', async (t) => t.plan(0, 'SKIPPED: PgBouncer is not installed'))
})
