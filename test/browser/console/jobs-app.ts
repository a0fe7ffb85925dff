/** An application whose jobs are in a database on disk, which a test also reads by itself; its mails stay in the outbox. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify, { type FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcConsole from 'svc-console'
import svcJobs from 'svc-jobs'
import { guardHooks } from 'svc-kernel'
import svcMail from 'svc-mail'
import svcOps from 'svc-ops'
import svcOrm from 'svc-orm'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'
import type { Test } from 'tap'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { PASSWORD } from './console-app.ts'

export interface JobsApp {
  readonly app: FastifyInstance
  readonly origin: string
  /** While it is out of order, the work of each order fails. */
  readonly till: { works: boolean; readonly booked: string[] }
  /** A column of a row, as the database has it and without what is under test; `undefined` without the row. */
  readonly stored: (table: 'svc_job' | 'svc_job_queue' | 'svc_job_schedule', key: string, column: string) => unknown
  /** Waits until the database has a job in this state, and the queue has it no more. */
  readonly ended: (id: string, state: string) => Promise<void>
}

const body = {
  type: 'object',
  required: ['order'],
  properties: { order: { type: 'string' }, password: { type: 'string' } }
}

/** `root` is an administrator. A job of an earlier release, whose kind is gone, waits in the database. */
export async function startJobs(t: Test): Promise<JobsApp> {
  const file = join(t.testdir(), 'app.db')
  await addOfEarlierRelease(file)
  const port = await freePort()
  const app = await withDatabase(Fastify(), file)
  const till = { works: false, booked: [] as string[] }
  t.teardown(() => app.close())
  await app.register(svcAudit)
  await app.register(svcSecurity, {
    areas: { shop: { pattern: '^/shop', authenticators: ['session'] } },
    totp: { encryptionKey: randomBytes(32).toString('base64') },
    users: {},
    passwords: { memoryKib: 7168, passes: 1 }
  })
  await app.register(svcJobs, { retries: 0, lanes: { report: { concurrent: 1 } } })
  await app.register(svcMail, { from: 'Shop <shop@example.org>', outbox: true })
  await app.register(svcOps, { requests: { enabled: true } })
  await app.register(svcConsole)
  app.jobs.define('order.book', { body }, (given) => {
    const { order } = given as { order: string }
    if (!till.works) throw new Error('the till is out of order')
    till.booked.push(order)
  })
  app.jobs.define('report', {}, () => undefined)
  app.jobs.schedule('report.daily', '30 6 * * *', { zone: 'Asia/Tokyo', job: 'report', overlap: 'skip' })
  app.get<{ Params: { order: string } }>(
    '/shop/book/:order',
    guardHooks([[{ attribute: 'ROLE_SVC_ADMIN' }]]),
    ({ params: { order } }) => app.jobs.add('order.book', { order, password: 'hunter2' })
  )
  await app.listen({ host: '127.0.0.1', port })
  await app.userAccounts.create({ identifier: 'root', password: PASSWORD, roles: ['ROLE_SVC_ADMIN'] })
  const stored: JobsApp['stored'] = (table, key, column) => {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const by = table === 'svc_job_schedule' ? 'name' : 'id'
      return database.prepare(`select "${column}" as value from ${table} where ${by} = ?`).get(key)?.value
    } finally {
      database.close()
    }
  }
  const ended: JobsApp['ended'] = async (id, state) => {
    const isOver = () => stored('svc_job', id, 'state') === state && stored('svc_job_queue', id, 'id') === undefined
    await until(isOver, `the job to be ${state}`)
  }
  return { app, origin: `http://localhost:${port}`, till, stored, ended }
}

async function withDatabase(app: FastifyInstance, file: string): Promise<FastifyInstance> {
  await app.register(svcOrm)
  await app.register(svcSqlorm, { connectors: { default: { url: `sqlite:${file}` } } })
  return app
}

async function addOfEarlierRelease(file: string): Promise<void> {
  const earlier = await withDatabase(Fastify(), file)
  await earlier.register(svcJobs, { run: false })
  earlier.jobs.define('order.print', {}, () => undefined)
  await earlier.ready()
  await earlier.jobs.add('order.print')
  await earlier.close()
}
