/**
 * How long other requests wait while one caller of SQLite awaits one operation after the other: the longest and the
 * median wait for an answer over a socket, in milliseconds, and what the caller's operations cost. Prints a Markdown
 * table.
 *
 *   npm run bench -- fairness [operations] [full|normal]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import svcOrm, { defineEntity, type Repository } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { portOf } from '../../support/ports.ts'

const operations = Number(process.argv[2] ?? 3000)
const synchronous = process.argv[3] === 'full' ? 'full' : 'normal'
const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

const works: Readonly<Record<string, (notes: Repository) => Promise<unknown>>> = {
  'nothing at all': () => new Promise((resolve) => setTimeout(resolve, 500)),
  'creates, one after the other': async (notes) => {
    for (let index = 0; index < operations; index += 1) await notes.create({ text: 'x' })
  },
  'the same in one transaction': (notes) =>
    notes.withTransaction(async (inside) => {
      for (let index = 0; index < operations; index += 1) await inside.create({ text: 'x' })
    }),
  'one createMany of them all': (notes) => notes.createMany(Array.from({ length: operations }, () => ({ text: 'x' }))),
  'one find of all rows': (notes) => notes.find()
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-fairness-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  const url = `sqlite:${join(folder, 'app.db')}`
  await fastify.register(svcSqlorm, { connectors: { default: { url, synchronous } }, frameworkEntities: false })
  fastify.get('/', async () => ({ ok: true }))
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(fastify.server)
  const notes = fastify.orm.repository('Note')
  process.stdout.write(`Node ${process.versions.node}, synchronous ${synchronous}, ${operations} operations\n\n`)
  process.stdout.write(
    '| meanwhile | took, ms | answers to others | longest wait, ms | median, ms |\n|---|---:|---:|---:|---:|\n'
  )
  for (const [name, work] of Object.entries(works)) {
    const { took, waits } = await waitsWhile(port, () => work(notes))
    const sorted = waits.toSorted((a, b) => a - b)
    const cells = [took, waits.length, sorted.at(-1) ?? took, sorted[Math.floor(sorted.length / 2)] ?? took]
    process.stdout.write(`| ${[name, ...cells.map((cell) => Math.round(cell * 10) / 10)].join(' | ')} |\n`)
  }
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

async function waitsWhile(port: number, work: () => Promise<unknown>): Promise<{ took: number; waits: number[] }> {
  const waits: number[] = []
  let isDone = false
  const others = (async () => {
    while (!isDone) waits.push(await answerTime(port))
  })()
  await answerTime(port)
  const start = performance.now()
  await work()
  const took = performance.now() - start
  isDone = true
  await others
  return { took, waits }
}

function answerTime(port: number): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - start))
    }).on('error', reject)
  })
}
