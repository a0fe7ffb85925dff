/** What becomes of differences: lines of the log, or the end of the boot. */
import Fastify from 'fastify'
import { BootError, type Problem } from 'svc-kernel'
import t from 'tap'
import { type Difference, refuseDrift, warnOfDrift } from '../../src/driver.ts'
import svcOrm from '../../src/index.ts'

const LESS: Difference = { code: 'SVC_ORM_COLUMN_NULL', message: 'a', fix: 'b', breaks: false }
const BREAKS: Difference = { code: 'SVC_ORM_COLUMN_TYPE', message: 'c', fix: 'd', breaks: true }

t.test('only what breaks is refused, and only by the policy that refuses', (t) => {
  refuseDrift([LESS, BREAKS], 'warn')
  refuseDrift([LESS], 'refuse')
  try {
    refuseDrift([LESS, BREAKS], 'refuse')
    t.fail('it was accepted')
  } catch (error) {
    t.ok(error instanceof BootError)
    t.match((error as BootError).problems, [{ code: 'SVC_ORM_COLUMN_TYPE', message: 'c', fix: 'd' }])
    t.equal((error as BootError).problems.length, 1)
    t.notOk('breaks' in ((error as BootError).problems[0] ?? {}))
  }
  t.end()
})

t.test('one line for each, and a head where there are several', (t) => {
  const lines: { code: string; msg: string; fix?: string }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const { log } = Fastify({ logger: { stream } })
  const bootWarnings: Problem[] = []
  const report = { log, bootWarnings }
  const facts = { connector: 'default', target: 'sqlite:a' }
  warnOfDrift([LESS], report, facts)
  t.strictSame(
    lines.map(({ code, fix }) => [code, fix]),
    [['SVC_ORM_COLUMN_NULL', 'b']]
  )
  warnOfDrift([LESS, BREAKS], report, facts)
  t.strictSame(
    lines.slice(1).map(({ code }) => code),
    ['SVC_ORM_SCHEMA', 'SVC_ORM_COLUMN_NULL', 'SVC_ORM_COLUMN_TYPE']
  )
  t.match(lines[1]?.msg, /^2 differences .* connector default$/)
  t.strictSame(
    bootWarnings.map(({ code }) => code),
    ['SVC_ORM_COLUMN_NULL', 'SVC_ORM_COLUMN_TYPE'],
    'kept once each, though told twice'
  )
  t.end()
})

for (const [mode, given, expected] of [
  ['production', undefined, 'refuse'],
  ['development', undefined, 'warn'],
  ['test', undefined, 'warn'],
  ['production', 'warn', 'warn'],
  ['development', 'refuse', 'refuse']
] as const) {
  t.test(`in ${mode}, ${given ?? 'without the option'}: ${expected}`, async (t) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    fastify.decorate('appHost', { name: 'a', root: '/', mode, checkOnly: false, importModule: async () => ({}) })
    await fastify.register(svcOrm, { ...(given !== undefined && { drift: given }) })
    t.equal(fastify.orm.drift, expected)
  })
}
