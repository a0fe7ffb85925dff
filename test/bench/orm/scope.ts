/**
 * What a scope costs a find by id, and row-level security of PostgreSQL beside it: the same rows in an entity without a
 * scope, in one with, and in one whose table has a policy; interleaved rounds, medians, of CPU time where the database is in
 * the process. Prints a Markdown table.
 *
 *   npm run bench -- scope                                memory and SQLite, 61 rounds of 500
 *   npm run bench -- scope 9 1000 postgres://app@host/db  and PostgreSQL, as a role that policies hold
 */
import Fastify from 'fastify'
import svcOrm, { type Criteria, defineEntity, type EntityDefinition } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { cpu, wall } from '../measured/clock.ts'
import { median } from './compare.ts'

const [rounds = 61, calls = 500] = process.argv.slice(2, 4).map(Number)
const postgres = process.argv[4]
const ROWS = 10_000
/** The scope of a thousand of them. */
const ORGANISATIONS = 10

const schema = { title: { type: 'string' }, body: { type: 'text' }, stars: { type: 'integer' } } as const
/** With the same columns and the same indexes. */
const Plain = defineEntity({
  name: 'Plain',
  schema: { ...schema, organizationId: { type: 'string' } },
  indexes: [{ fields: ['organizationId'] }]
})
const Scoped = defineEntity({ name: 'Scoped', schema, scope: 'organization' })

interface Side {
  /** Runs work where its calls have a scope. Both sides run so: work of a request has a context in any case. */
  readonly inside: <T>(work: () => Promise<T>) => Promise<T>
  find(place: number): Promise<unknown>
  list(place: number): Promise<unknown>
  close(): Promise<void>
}

async function side(entity: EntityDefinition, url: string | null, rowSecurity = false): Promise<Side> {
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: url === null, parts: { entities: [entity] } })
  if (url !== null) {
    const synchronous = url.startsWith('sqlite') ? { synchronous: 'normal' as const } : {}
    const connector = { url, ...synchronous, ...(rowSecurity && { rowSecurity }) }
    await fastify.register(svcSqlorm, { connectors: { default: connector }, frameworkEntities: false })
  }
  await fastify.ready()
  const { orm } = fastify
  const rows = orm.repository(entity.name)
  const inside: Side['inside'] = (work) => orm.withScope({ organization: 'o1' }, work)
  // By hand.
  const own = entity.scope === undefined ? { organizationId: 'o1' } : {}
  const ids: string[] = []
  for (let number = 0; number < ORGANISATIONS; number += 1) {
    const values = Array.from({ length: ROWS / ORGANISATIONS }, (_, index) => {
      return { title: `title ${index}`, body: 'a body of some length '.repeat(20), stars: index % 10 }
    })
    const organizationId = `o${number}`
    const create = () => rows.createMany(values.map((each) => ({ ...each, organizationId })))
    const made = await orm.withScope({ organization: organizationId }, create)
    if (number === 1) ids.push(...made.map(({ id }) => id))
  }
  return {
    inside,
    find: (place) => rows.findOne({ id: ids[place % ids.length] } as Criteria<never>),
    list: (place) => rows.find({ stars: place % 10, ...own } as Criteria<never>, { order: [['id', 'ASC']], limit: 20 }),
    close: () => fastify.close()
  }
}

async function compare(engine: string, sides: ReadonlyMap<string, Side>, clock: () => number): Promise<void> {
  for (const operation of ['find', 'list'] as const) {
    const times = await measured(sides, operation, clock)
    const first = times.get('without a scope') ?? []
    for (const [name, taken] of times) {
      const ratio = median(taken.map((time, round) => time / (first[round] ?? Number.NaN)))
      process.stdout.write(
        `| ${engine} | ${operation} | ${name} | ${median(taken).toFixed(2)} | ${ratio.toFixed(3)} |\n`
      )
    }
  }
  for (const each of sides.values()) await each.close()
}

/** By side, one figure per round. The order of the sides turns; the first round only warms up. */
async function measured(sides: ReadonlyMap<string, Side>, operation: 'find' | 'list', clock: () => number) {
  const times = new Map<string, number[]>()
  for (let round = -1; round < rounds; round += 1) {
    const order = [...sides]
    for (const [name, each] of round % 2 === 0 ? order : order.reverse()) {
      const time = await each.inside(() => timed(each[operation], clock))
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), time])
    }
  }
  return times
}

/** @returns microseconds per call */
async function timed(call: (place: number) => Promise<unknown>, clock: () => number): Promise<number> {
  const start = clock()
  for (let place = 0; place < calls; place += 1) await call(place)
  return (clock() - start) / calls
}

process.stdout.write(`\nNode ${process.versions.node}, ${rounds} rounds of ${calls} calls\n\n`)
process.stdout.write('| engine | case | entity | us | ratio |\n|---|---|---|---:|---:|\n')
const both = async (url: string | null) =>
  new Map([
    ['without a scope', await side(Plain, url)],
    ['with a scope', await side(Scoped, url)]
  ])
await compare('memory', await both(null), cpu)
await compare('SQLite', await both('sqlite::memory:'), cpu)
if (postgres === undefined) process.stdout.write('\nPostgreSQL was not measured: no URL was given\n')
else {
  const sides = await both(postgres)
  const Fenced = { ...Scoped, name: 'Fenced' }
  sides.set('with rowSecurity', await side(Fenced, postgres, true))
  await compare('PostgreSQL', sides, wall)
}
