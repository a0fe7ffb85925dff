/** The errors that a route may answer: those of its schema and those of its hooks, each code once. */
import createError from '@fastify/error'
import type { RouteOptions } from 'fastify'
import t from 'tap'
import { errorsOfRoute, expectedError, refusing } from '../../src/plugin.ts'

const Gone = expectedError('SVC_T_GONE', 'gone', 410)
const Early = expectedError('SVC_T_EARLY', 'too early', 425)
const Thrown = createError('SVC_T_THROWN', 'thrown', 418)

const hook = async () => undefined

t.test('of the schema: classes, errors, plain data', (t) => {
  const errors = [Gone, new Thrown(), { code: 'PLAIN', statusCode: 409 }, { code: 'NO_STATUS' }, Gone]
  t.strictSame(errorsOfRoute({ schema: { errors } }), [
    { code: 'SVC_T_GONE', statusCode: 410 },
    { code: 'SVC_T_THROWN', statusCode: 418 },
    { code: 'PLAIN', statusCode: 409 },
    { code: 'NO_STATUS', statusCode: 500 }
  ])
  t.strictSame(errorsOfRoute({}), [])
  t.end()
})

for (const name of ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const) {
  t.test(`of ${name}, alone or in a list`, (t) => {
    const early = [{ code: 'SVC_T_EARLY', statusCode: 425 }]
    const marked = refusing(async () => undefined, Early)
    for (const given of [marked, [hook, marked]]) {
      t.strictSame(errorsOfRoute({ [name]: given } as Partial<RouteOptions>), early)
    }
    t.strictSame(errorsOfRoute({ [name]: hook } as Partial<RouteOptions>), [])
    t.end()
  })
}

t.test('a marked hook is the same hook, and may be marked again', (t) => {
  const own = async () => undefined
  t.equal(refusing(refusing(own, Early), Gone), own)
  t.strictSame(
    errorsOfRoute({ preHandler: own }).map(({ code }) => code),
    ['SVC_T_EARLY', 'SVC_T_GONE']
  )
  t.strictSame(Object.keys(own), [])
  t.end()
})

t.test('an expected error says its code and its status before it is thrown', (t) => {
  const { code, statusCode } = new Gone()
  t.strictSame([Gone.code, Gone.statusCode], [code, statusCode])
  t.strictSame([code, statusCode], ['SVC_T_GONE', 410])
  t.end()
})
