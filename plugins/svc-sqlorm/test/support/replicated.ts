/** A primary with standbys of its own, and an application that reads from them. */
import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import svcOrm, { defineEntity, type Repository, type SvcOrmOptions } from 'svc-orm'
import type { Test } from 'tap'
import svcSqlorm, { type ConnectorOptions } from '../../src/index.ts'
import { CapturedLog } from './captured-log.ts'
import type { PostgresServer } from './postgres-server.ts'

export const Event = defineEntity({ name: 'Event', schema: { number: { type: 'integer' } } })

/** One statement on a server. */
export async function on<Row extends object>(url: string, text: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows[0]
  } finally {
    await client.end()
  }
}

/** Standbys that replay as they are told to. */
export class Standby {
  readonly url: string
  readonly server: PostgresServer
  readonly #primary: string
  /** It may not have the database of the test yet. */
  readonly #any: string

  constructor(server: PostgresServer, primary: string) {
    this.server = server
    this.#primary = primary
    this.#any = server.url('postgres')
    this.url = server.url(new URL(primary).pathname.slice(1))
  }

  /** Resolves once it has replayed all that the primary has written. */
  async caughtUp(): Promise<void> {
    const written = await on<{ lsn: string }>(this.#primary, 'select pg_current_wal_lsn() as lsn')
    const text = `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as done`
    while ((await on<{ done: boolean }>(this.#any, text))?.done !== true);
  }

  async pause(): Promise<void> {
    await on(this.#any, 'select pg_wal_replay_pause()')
    const text = 'select pg_get_wal_replay_pause_state() as state'
    while ((await on<{ state: string }>(this.#any, text))?.state !== 'paused');
  }

  async resume(): Promise<void> {
    await on(this.#any, 'select pg_wal_replay_resume()')
  }
}

export interface ReplicatedApp {
  readonly fastify: FastifyInstance
  readonly log: CapturedLog
  readonly events: Repository
  /** What a request of this caller counts. */
  counted(url?: string, from?: string): Promise<unknown>
}

/** Ready. `GET /` counts, `POST /` writes and counts, `GET /twice` counts again and again. */
export async function replicatedApp(
  t: Test,
  connector: ConnectorOptions,
  options: SvcOrmOptions = {}
): Promise<ReplicatedApp> {
  const log = new CapturedLog()
  const fastify = Fastify({ logger: log.logger, trustProxy: true })
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { ...options, parts: { entities: [Event] } })
  await fastify.register(svcSqlorm, { connectors: { default: connector } })
  const repository = () => fastify.orm.repository('Event')
  fastify.get('/', async () => repository().count())
  fastify.get('/primary', async () => repository().primary().count())
  fastify.post('/', async () => {
    await repository().create({ number: 1 })
    return repository().count()
  })
  fastify.get('/twice', async () => {
    const counts: number[] = []
    for (let read = 0; read < 6; read += 1) counts.push((await repository().find()).length)
    return counts
  })
  await fastify.ready()
  const counted = async (url = '/', from = '10.0.0.1') => {
    const method = url.startsWith('POST ') ? 'POST' : 'GET'
    const headers = { 'x-forwarded-for': from }
    const { statusCode, body } = await fastify.inject({ method, url: url.replace('POST ', ''), headers })
    return statusCode === 200 ? (JSON.parse(body) as unknown) : statusCode
  }
  return { fastify, log, events: repository(), counted }
}
