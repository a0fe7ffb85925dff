/** A turn of the loop, and who goes on in the next one. Then the rule it is for: nobody keeps the others waiting. */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { EventLoopTurn } from '../../../src/engines/sqlite/event-loop-turn.ts'
import { sqlApp } from '../../support/sql-app.ts'

t.setTimeout(120_000)

const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

t.test('a turn is over when its time is used up, and those that wait go on one by one', async (t) => {
  let now = 0
  const turn = new EventLoopTurn(() => now)
  t.notOk(turn.isOver())
  now = 4
  t.notOk(turn.isOver(), 'within its time')
  now = 6
  t.ok(turn.isOver())
  const order: string[] = []
  const waiting = ['a', 'b'].map(async (name) => {
    await turn.next()
    order.push(name, turn.isOver() ? 'over' : 'free')
    now += 10
    order.push(turn.isOver() ? 'over' : 'free')
  })
  await immediate()
  order.push('between')
  await Promise.all(waiting)
  t.strictSame(order, ['a', 'free', 'over', 'between', 'b', 'free', 'over'])
  await immediate()
  now += 100
  t.notOk(turn.isOver(), 'a new turn, however long ago the last one was')
})

/** How often the loop went round while the work ran, for each 50 ms of the processor that it took. */
async function turnsPer50Ms(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  let turns = 0
  let isDone = false
  const counting = (async () => {
    while (!isDone) {
      turns += 1
      await immediate()
    }
  })()
  await work()
  const { user, system } = process.cpuUsage(start)
  isDone = true
  await counting
  return turns / ((user + system) / 50_000)
}

async function serve(t: Test): Promise<{ fastify: FastifyInstance; url: string }> {
  const { fastify } = await sqlApp(t, 'sqlite::memory:', { entities: [Note] })
  fastify.get('/count', async () => ({ count: await fastify.orm.repository(Note).count() }))
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return { fastify, url: `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}/count` }
}

const count = (url: string) =>
  new Promise<number>((resolve, reject) => {
    get(url, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => resolve((JSON.parse(text) as { count: number }).count))
    }).on('error', reject)
  })

t.test('R13: other requests are answered while one creates 6000 rows one after the other', async (t) => {
  const { fastify, url } = await serve(t)
  const notes = fastify.orm.repository(Note)
  const seen: number[] = []
  let isDone = false
  const others = (async () => {
    while (!isDone) seen.push(await count(url))
  })()
  const turns = await turnsPer50Ms(async () => {
    for (let index = 0; index < 6000; index += 1) await notes.create({ text: `note ${index}` })
  })
  isDone = true
  await others
  t.ok(new Set(seen).size > 5, `answers in between: ${seen.slice(0, 20).join()}`)
  t.ok(turns > 1, `${turns} turns of the loop for each 50 ms`)
})

t.test('R13: the same inside a transaction, while many rows are created at once, and while rows stream', async (t) => {
  const { fastify } = await serve(t)
  const notes = fastify.orm.repository(Note)
  const works = {
    transaction: () =>
      notes.withTransaction(async (inside) => {
        for (let index = 0; index < 2000; index += 1) await inside.create({ text: `note ${index}` })
      }),
    bulk: () => notes.createMany(Array.from({ length: 10_000 }, (_, index) => ({ text: `note ${index}` }))),
    loops: () =>
      Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let index = 0; index < 500; index += 1) await notes.findOne({ text: `note ${index}` })
        })
      ),
    stream: async () => {
      for await (const _row of fastify.sqlorm.kysely().selectFrom('note').selectAll().stream());
    }
  }
  for (const [name, work] of Object.entries(works)) {
    // A collection of the garbage that others left counts as well: the most of three is what the work lets through.
    const turns: number[] = []
    while (turns.length < 3 && !turns.some((count) => count > 1)) turns.push(await turnsPer50Ms(work))
    t.ok(
      turns.some((count) => count > 1),
      `${name}: ${turns} turns of the loop for each 50 ms`
    )
  }
})
