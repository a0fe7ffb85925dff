/** Plugins that hold a connection, each to a real server. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import svcOrm from 'svc-orm'
import { freePort } from '../../support/ports.ts'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'
import type { Neighbour } from './neighbour.ts'

interface RedisClient {
  set(key: string, value: string): Promise<unknown>
  get(key: string): Promise<string | null>
}

const redis: Neighbour = {
  name: '@fastify/redis',
  async service(t) {
    const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
    if (program === undefined) return null
    const port = await freePort()
    const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    t.teardown(async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    for await (const line of createInterface({ input: child.stdout })) if (/ready to accept/i.test(line)) break
    child.stdout.resume()
    return `redis://127.0.0.1:${port}`
  },
  register: (scope, plugin, { address }) => scope.register(plugin, { url: address }),
  routes(scope, at) {
    scope.get(`${at}/kept`, async () => {
      const client = scope.getDecorator<RedisClient>('redis')
      await client.set('kept', at)
      return client.get('kept')
    })
  },
  async holds(t, { at, caller }) {
    t.equal((await caller.ask(`${at}/kept`)).text, at)
  },
  note: 'svc-realtime opens its own connections, from its option `redis`.'
}

const postgres: Neighbour = {
  name: '@fastify/postgres',
  async service(t) {
    const programs = postgresPrograms()
    if (programs === null) return null
    const server = await PostgresServer.start(programs)
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    return server.url('postgres')
  },
  register: (scope, plugin, { address }) => scope.register(plugin, { connectionString: address }),
  routes(scope, at) {
    scope.get(`${at}/sum`, async () => {
      const pg = scope.getDecorator<{ query(text: string, values: unknown[]): Promise<{ rows: object[] }> }>('pg')
      return (await pg.query('select $1::int + 1 as sum', [6])).rows
    })
  },
  async holds(t, { at, caller }) {
    t.strictSame((await caller.ask(`${at}/sum`)).json(), [{ sum: 7 }])
  },
  note: 'svc-sqlorm has its own pool. Both see the same tables, but not the same transaction.'
}

interface Mongo {
  readonly db: {
    collection(name: string): { findOne(filter: object): Promise<object | null>; insertOne(row: object): unknown }
  }
  readonly theirs?: Mongo
  readonly svc?: Mongo
}

const mongodb: Neighbour = {
  name: '@fastify/mongodb',
  async service(t) {
    const { startDocumentEngine } = await import('svc-docdb-embedded')
    const engine = await startDocumentEngine()
    t.teardown(() => engine.close())
    return engine.uri
  },
  async ours(fastify, { address }) {
    // Loaded here: other cases, some in processes of their own, need none of it.
    const { default: svcDocdb } = await import('svc-docdb')
    await fastify.register(svcOrm)
    await fastify.register(svcDocdb, { connectors: { svc: { uri: address, database: 'ours' } } })
  },
  register: (scope, plugin, { address, order }) =>
    scope.register(plugin, { url: address, database: 'shop', ...(order === 'before' ? {} : { name: 'theirs' }) }),
  routes(scope, at) {
    scope.get(`${at}/document`, async () => {
      const mongo = scope.getDecorator<Mongo>('mongo')
      const documents = (mongo.theirs ?? mongo).db.collection('rows')
      await documents.insertOne({ at })
      const ours = (mongo.svc ?? mongo).db.collection('rows')
      return { theirs: (await documents.findOne({ at })) !== null, ours: (await ours.findOne({ at })) !== null }
    })
  },
  async holds(t, { at, caller }) {
    t.strictSame((await caller.ask(`${at}/document`)).json(), { theirs: true, ours: false })
  },
  note: 'svc-docdb registers it. Register yours before it to keep `fastify.mongo`; that of svc-docdb is then `fastify.mongo.svc`. After it, yours needs a `name`.',
  clash: {
    orders: ['after', 'scope'],
    register: (scope, plugin, { address }) => scope.register(plugin, { url: address, database: 'shop' }),
    says: [/fastify-mongodb has already registered/]
  }
}

export const databases: readonly Neighbour[] = [redis, postgres, mongodb]
