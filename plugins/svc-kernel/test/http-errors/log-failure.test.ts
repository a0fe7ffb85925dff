/** A line is written whatever was thrown; a serialiser that fails is told in plain texts. */
import { fastify as createFastify } from 'fastify'
import t from 'tap'
import { logFailure } from '../../src/http-errors/outage-log.ts'

const refuse = (): never => {
  throw new Error('no')
}

const rows: Array<[title: string, thrown: unknown, err: unknown]> = [
  ['an error', new Error('lost'), { type: 'Error', message: 'lost', stack: /lost/ }],
  ['a frozen error', Object.freeze(new TypeError('lost')), { message: 'lost', stack: /TypeError: lost/ }],
  ['a text', 'lost', 'lost'],
  [
    'an error whose getters throw',
    Object.defineProperty(new Error('x'), 'message', { get: refuse }),
    { message: 'an unreadable error' }
  ],
  ['a proxy', new Proxy(new Error('x'), { get: refuse }), { message: 'an unreadable error' }]
]

for (const [title, thrown, err] of rows) {
  t.test(title, async (t) => {
    const lines: unknown[] = []
    const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const fastify = createFastify({ logger: { level: 'error', stream } })
    t.teardown(() => fastify.close())
    logFailure(fastify.log, thrown, 'it failed')
    t.match(lines, [{ level: 50, msg: 'it failed', err }])
  })
}
