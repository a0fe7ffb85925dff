/** The calls whose call sites are measured, each in the code that applications run, and what one of them costs. */
import { GCProfiler } from 'node:v8'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'

export interface Cost {
  readonly ns: number
  readonly bytes: number
}

interface Call {
  readonly name: string
  readonly calls: number
  readonly run: () => unknown
}

const WARM_UPS = 3

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

class Notes {
  read(): string {
    return 'a note'
  }
}

type Executor = (server: FastifyInstance, request: FastifyRequest, channel: object) => unknown
type Compile = (invocation: object, readers: readonly [], makeContext: () => object) => Executor

async function callsOf(fastify: FastifyInstance): Promise<Call[]> {
  // The one call that no public name makes by itself.
  const file = new URL('executor/compile-executor.js', import.meta.resolve('svc-decorators'))
  const { compileExecutor } = (await import(file.href)) as { compileExecutor: Compile }
  const execute = compileExecutor({ Class: Notes, key: 'read', parameters: [] }, [], () => ({}))
  const [request, channel] = [{} as FastifyRequest, {}]
  const inMemory = fastify.orm.repository(Note, 'memory')
  const onSqlite = fastify.orm.repository(Note)
  return [
    { name: 'operation: a controller method', calls: 2_000_000, run: () => execute(fastify, request, channel) },
    { name: 'repository: a count in memory', calls: 40_000, run: () => inMemory.count() },
    { name: 'repository and statement: a count on SQLite', calls: 15_000, run: () => onSqlite.count() }
  ]
}

/** The costs by name. Needs `--expose-gc`, and young space for all garbage of one measurement. */
export async function measureCalls(): Promise<Record<string, Cost>> {
  const fastify = Fastify()
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Note] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false })
  await fastify.ready()
  const costs: Record<string, Cost> = {}
  for (const call of await callsOf(fastify)) {
    for (let turn = 0; turn < WARM_UPS; turn += 1) await measure(call)
    costs[call.name] = await measure(call)
  }
  await fastify.close()
  return costs
}

async function measure({ name, calls, run }: Call): Promise<Cost> {
  globalThis.gc?.()
  const collections = new GCProfiler()
  collections.start()
  const heap = process.memoryUsage().heapUsed
  const start = process.hrtime.bigint()
  if (run() instanceof Promise) for (let left = calls; left > 0; left -= 1) await run()
  else for (let left = calls; left > 0; left -= 1) run()
  const ns = Number(process.hrtime.bigint() - start) / calls
  const bytes = (process.memoryUsage().heapUsed - heap) / calls
  const seen = collections.stop()?.statistics.length ?? 0
  if (seen > 0) throw new Error(`${name}: ${seen} garbage collections, expected none: measure fewer calls`)
  return { ns, bytes }
}
