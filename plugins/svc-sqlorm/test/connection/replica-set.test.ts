/** Which replica a read goes to, and what each kind of failure makes of it. The errors are those that `pg` raises. */
import { CompiledQuery } from 'kysely'
import t from 'tap'
import type { Replica } from '../../src/connection/replica.ts'
import { ReplicaSet } from '../../src/connection/replica-set.ts'
import { replicaRunner } from '../../src/transactions/replica-runner.ts'
import type { StatementRunner } from '../../src/transactions/sql-transaction.ts'

const QUERY = CompiledQuery.raw('select 1')

const failed = (message: string, code?: string) => Object.assign(new Error(message), code === undefined ? {} : { code })

class Stub {
  reading = true
  readonly left: string[] = []
  asked = 0
  readonly #name: string
  readonly #fails: Error | null

  constructor(name: string, fails: Error | null = null) {
    this.#name = name
    this.#fails = fails
  }

  async read() {
    this.asked += 1
    if (this.#fails !== null) throw this.#fails
    return { rows: [{ by: this.#name }] }
  }

  leaveOut(reason: string): void {
    this.left.push(reason)
    this.reading = false
  }
}

function runnerOf(...stubs: Stub[]): StatementRunner {
  const set = new ReplicaSet('main', stubs as unknown as Replica[])
  const primary = async () => ({ rows: [{ by: 'primary' }] })
  return replicaRunner(
    set,
    {
      hasSnapshot: false,
      isFenced: false,
      read: primary,
      write: primary,
      together: (work) => work({} as never)
    },
    () => null
  )
}

const by = async (runner: StatementRunner) => (await runner.read(QUERY)).rows[0]?.by

t.test('they take turns; writes go to the primary', async (t) => {
  const runner = runnerOf(new Stub('a'), new Stub('b'))
  t.strictSame([await by(runner), await by(runner), await by(runner)], ['a', 'b', 'a'])
  t.strictSame((await runner.write(QUERY)).rows, [{ by: 'primary' }])
})

t.test('without one that reads, the primary', async (t) => {
  const stub = new Stub('a')
  stub.reading = false
  t.equal(await by(runnerOf(stub)), 'primary')
  t.equal(stub.asked, 0)
})

const CASES: readonly (readonly [what: string, error: Error, left: readonly string[]])[] = [
  ['refused', failed('connect ECONNREFUSED', 'ECONNREFUSED'), ['unavailable (ECONNREFUSED)']],
  ['broke off', failed('Connection terminated unexpectedly'), ['unavailable']],
  ['starts up', failed('the database system is starting up', '57P03'), ['unavailable (57P03)']],
  [
    'a conflict with recovery',
    failed('canceling statement due to conflict with recovery', '40001'),
    ['conflict (40001)']
  ],
  ['wrong password', failed('password authentication failed', '28P01'), ['misconfigured (28P01)']],
  ['a table that it does not have yet', failed('relation "note" does not exist', '42P01'), []]
]

for (const [what, error, left] of CASES) {
  t.test(`${what}: another one answers`, async (t) => {
    const broken = new Stub('a', error)
    t.equal(await by(runnerOf(broken, new Stub('b'))), 'b')
    t.equal(broken.asked, 1)
    t.strictSame(broken.left, left)
    t.equal(await by(runnerOf(new Stub('a', error))), 'primary', 'in the end the primary')
  })
}

t.test('what is of the statement goes to the caller', async (t) => {
  const cancelled = new Stub('a', failed('canceling statement due to statement timeout', '57014'))
  await t.rejects(runnerOf(cancelled, new Stub('b')).read(QUERY), {
    code: 'SVC_SQLORM_STATEMENT_TIMEOUT',
    statusCode: 503
  })
  t.strictSame(cancelled.left, [])
})

t.test('one whose connections are all taken does not send its readers to the primary, unless it is gone', async (t) => {
  const waited = failed('timeout exceeded when trying to connect')
  await t.rejects(runnerOf(new Stub('a', waited)).read(QUERY), { code: 'SVC_SQLORM_BUSY', statusCode: 503 })
  const gone = new Stub('a', waited)
  const reading = gone.read.bind(gone)
  gone.read = () => {
    gone.reading = false
    return reading()
  }
  t.equal(await by(runnerOf(gone)), 'primary')
})
