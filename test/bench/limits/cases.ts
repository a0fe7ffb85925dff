/** What is compared. Every limit is wide enough to let all calls through, for a thousand callers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import pg from 'pg'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { systemClock } from 'svc-kernel'
import svcLimits from 'svc-limits'
import { limitsStore } from 'svc-limits/stores'
import svcSqlorm from 'svc-sqlorm'
import { inMemory } from 'svc-stores'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'

export interface Case {
  readonly name: string
  /** Call number `index`. */
  readonly work: (index: number) => unknown
  readonly close?: () => unknown
}

const RATE = { rate: '60000000/min' }
const PACE = { intervalUs: 1, burst: 60_000_000 }
const CALLERS = Array.from({ length: 1000 }, (_, index) => `address 192.0.2.${index}`)

const caller = (index: number): string => CALLERS[index % CALLERS.length] as string

export function memoryCases(): Case[] {
  const other = new RateLimiterMemory({ points: 60_000_000, duration: 60 })
  const store = inMemory(limitsStore, { clock: systemClock })
  return [
    { name: 'rate-limiter-flexible, consume()', work: (index) => other.consume(caller(index)) },
    { name: 'svc-limits, the store', work: (index) => store.take('bench', caller(index), PACE, 1) }
  ]
}

export async function routeCases(): Promise<Case[]> {
  const fastify = Fastify()
  await fastify.register(svcLimits)
  fastify.get('/free', async () => 'ok')
  fastify.get('/limited', { config: { limits: { ...RATE, by: 'address' } } }, async () => 'ok')
  await fastify.ready()
  return [
    { name: 'without a limit', work: () => fastify.inject('/free') },
    { name: 'limited by address', work: () => fastify.inject('/limited'), close: () => fastify.close() }
  ]
}

/** The same step as one statement, which the storage port does not have. */
const BY_HAND = (now: string, bound: string, greatest: string) => `
  insert into by_hand (id, tat) values ($1, ${now} + 1)
  on conflict (id) do update set tat = ${greatest}(by_hand.tat, ${now}) + 1
  where ${greatest}(by_hand.tat, ${now}) + 1 <= ${bound} returning tat`

const TABLE = 'create table by_hand (id text primary key, tat bigint not null)'

async function limited(url: string): Promise<Case> {
  const fastify = Fastify()
  await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  await fastify.register(svcLimits, { limits: { bench: RATE } })
  await fastify.ready()
  const work = (index: number) => fastify.limits.take('bench', caller(index))
  return { name: 'svc-limits', work, close: () => fastify.close() }
}

export async function databaseCases(): Promise<{ title: string; cases: Case[] }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-limits-'))
  const file = join(folder, 'limits.db')
  const svc = await limited(`sqlite:${file}`)
  const database = new DatabaseSync(file)
  // As durable as svc-sqlorm writes.
  database.exec(`pragma busy_timeout = 5000; pragma synchronous = full; ${TABLE}`)
  const statement = database.prepare(BY_HAND('$2', '$3', 'max').replaceAll(/\$(\d)/g, '?$1'))
  const byHand = {
    name: 'one statement by hand',
    work: (index: number) => {
      const now = Date.now() * 1000
      statement.get(caller(index), now, now + PACE.burst)
    },
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    }
  }
  const sqlite = { title: 'SQLite in a file', cases: [byHand, svc] }
  return [sqlite, ...(await postgresCases())]
}

async function postgresCases(): Promise<{ title: string; cases: Case[] }[]> {
  const programs = postgresPrograms()
  if (programs === null) return []
  const server = await PostgresServer.start(programs)
  const url = server.url('postgres')
  const client = new pg.Client(url)
  await client.connect()
  await client.query(TABLE)
  const query = { name: 'by-hand', text: BY_HAND('$2::bigint', '$3::bigint', 'greatest') }
  const byHand = {
    name: 'one statement by hand',
    work: (index: number) => {
      const now = Date.now() * 1000
      return client.query({ ...query, values: [caller(index), now, now + PACE.burst] })
    },
    close: async () => {
      await client.end()
      await server.kill()
      server.remove()
    }
  }
  return [{ title: 'PostgreSQL', cases: [byHand, await limited(url)] }]
}
