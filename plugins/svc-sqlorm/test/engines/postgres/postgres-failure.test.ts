/** Errors of PostgreSQL and of the way to it, by what they mean. */
import t from 'tap'
import { postgresFailure } from '../../../src/engines/postgres/postgres-failure.ts'

const CODES: readonly (readonly [code: string, kind: string | null])[] = [
  ['ECONNREFUSED', 'unavailable'],
  ['ECONNRESET', 'unavailable'],
  ['ENOTFOUND', 'unavailable'],
  ['08006', 'unavailable'],
  ['22003', 'value'],
  ['22008', 'value'],
  ['23502', 'null'],
  ['53100', 'full'],
  ['23514', 'value'],
  ['25006', 'read-only'],
  ['28P01', 'misconfigured'],
  ['3D000', 'misconfigured'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['42601', null],
  ['42501', 'misconfigured'],
  ['53100', 'full'],
  ['53300', 'unavailable'],
  ['55P03', 'busy'],
  ['57014', 'timeout'],
  ['57P01', 'unavailable'],
  ['57P03', 'unavailable'],
  ['58030', 'unavailable'],
  ['XX001', 'damaged'],
  ['SVC_ORM_UNIQUE', null]
]

for (const [code, kind] of CODES) {
  t.test(`${code} is ${kind}`, async (t) => {
    t.equal(postgresFailure(Object.assign(new Error('x'), { code }))?.kind ?? null, kind)
  })
}

const TEXTS: readonly (readonly [message: string, kind: string | null])[] = [
  ['Connection terminated unexpectedly', 'unavailable'],
  ['Connection terminated due to connection timeout', 'unavailable'],
  ['Client has encountered a connection error and is not queryable', 'unavailable'],
  ['Query read timeout', 'unavailable'],
  ['timeout exceeded when trying to connect', 'busy'],
  ['something of the application', null]
]

for (const [message, kind] of TEXTS) {
  t.test(`${message} is ${kind}`, async (t) => {
    t.equal(postgresFailure(new Error(message))?.kind ?? null, kind)
  })
}

t.test('a unique violation names its index', async (t) => {
  const detail = 'Schl\u00fcssel \u00bb(slug, "siteId")=(a)=(b, c)\u00ab existiert bereits.'
  const told = Object.assign(new Error('x'), {
    code: '23505',
    constraint: 'article_slug_key',
    table: 'article',
    detail
  })
  t.strictSame(postgresFailure(told), {
    kind: 'unique',
    constraint: { table: 'article', name: 'article_slug_key', columns: ['slug', 'siteId'] }
  })
  const bare = Object.assign(new Error('x'), { code: '23505' })
  t.strictSame(postgresFailure(bare), { kind: 'unique', constraint: { table: null, name: null, columns: [] } })
  t.end()
})
