/** Methods of controllers that are jobs: what they are given, by whom they are reached, and what becomes of their failures. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcDecorators, {
  Body,
  type ControllerClass,
  Cron,
  Ctx,
  CurrentUser,
  controller,
  Get,
  Headers,
  IsGranted,
  Job,
  type JobContext,
  Param,
  Post,
  Query
} from 'svc-decorators'
import svcJobs, { FinalJobFailure } from 'svc-jobs'
import type { Problem, User } from 'svc-kernel'
import svcOpenapi from 'svc-openapi'
import t, { type Test } from 'tap'
import { portOf } from '../../support/ports.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import { until } from '../../support/until.ts'

async function opened(t: Test, controllers: readonly ControllerClass[], define?: (fastify: FastifyInstance) => void) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOpenapi)
  await fastify.register(svcJobs)
  await fastify.register(svcDecorators, { controllers })
  define?.(fastify)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const ended = (id: string) =>
    until(async () => {
      const job = await fastify.jobs.get(id)
      return job.endedAt !== null && job
    }, 'the end of the job')
  return { fastify, jobs: fastify.jobs, port: portOf(fastify.server), ended }
}

/** What a boot that fails reports. */
async function problemsOf(boot: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await boot()
  } catch (error) {
    return (error as { problems: readonly Problem[] }).problems
  }
  return []
}

t.test('a method is given what its decorators say', async (t) => {
  const seen: unknown[] = []
  const body = {
    type: 'object',
    required: ['order'],
    properties: { order: { type: 'string' }, copies: { type: 'integer', default: 2 } }
  } as const
  @controller('/orgs/:org/invoices')
  class Invoices {
    #transport = ''
    readonly #app: FastifyInstance

    constructor(app: FastifyInstance) {
      this.#app = app
    }

    initialize({ transport }: JobContext): void {
      this.#transport = transport
    }

    @Job('invoice:send', { body })
    async send(
      @Body() given: { order: string; copies: number; org: string },
      @Param('org') org: string,
      @Param('order') order: string,
      @CurrentUser() user: User,
      @Ctx() { job, request }: JobContext
    ): Promise<void> {
      seen.push([this.#transport, typeof this.#app.jobs.add, given, org, order, user.identifier])
      seen.push([job.name, job.attempt, job.cause, request.routeOptions.url, request.url])
    }
  }
  const { jobs, ended } = await opened(t, [Invoices])
  const { id } = await jobs.add('invoice:send', { order: 'o-1', org: 'a/b ü' })
  t.match(await ended(id), { state: 'done', reason: null })
  const given = { order: 'o-1', org: 'a/b ü', copies: 2 }
  t.strictSame(seen, [
    ['JOB', 'function', given, 'a/b ü', 'o-1', 'anonymous'],
    ['invoice:send', 1, null, '/orgs/:org/invoices/invoice::send', '/orgs/a%2Fb%20%C3%BC/invoices/invoice:send']
  ])
  const without = await jobs.add('invoice:send', { order: 'o-2' })
  t.match(await ended(without.id), { state: 'parked', reason: /no org, which the path \/orgs\/:org\/invoices/ })
  const long = await jobs.add('invoice:send', { order: 'o-3', org: 'x'.repeat(200) })
  t.match(await ended(long.id), { state: 'parked', reason: /answered with 414/ })
  await t.rejects(jobs.add('invoice:send', { org: 'a' }), { code: 'SVC_JOBS_BODY', statusCode: 400 })
})

t.test('no request from outside reaches a job, and other routes of its path keep working', async (t) => {
  let ran = 0
  @controller('/notes')
  class Notes {
    @Job('notes.sweep')
    @Post('/:id')
    sweep(): { ran: number } {
      ran += 1
      return { ran }
    }

    @Job('notes.alone')
    alone(): void {
      ran += 100
    }

    @Get('/:id')
    show(@Param('id') id: string): { id: string } {
      return { id }
    }
  }
  const { fastify, jobs, port, ended } = await opened(t, [Notes])
  const post = async (target: string, headers = {}) =>
    (await rawExchange(port, rawRequest('POST', target, headers, ''))).status
  t.equal(await post('/notes/notes.alone'), 200, 'the route over HTTP has the path')
  t.equal(ran, 1)
  for (const headers of [{ svcjob: 'run' }, { 'x-svc-job': 'run' }, { host: 'run' }, { 'accept-version': 'run' }]) {
    await post('/notes/notes.alone', headers)
  }
  t.equal(ran, 5, 'each of them was the route over HTTP')
  t.match(await ended((await jobs.add('notes.alone')).id), { state: 'done' })
  t.equal(ran, 105)
  await ended((await jobs.add('notes.sweep')).id)
  t.equal(ran, 106)
  const got = await rawExchange(port, rawRequest('GET', '/notes/notes.alone', {}, ''))
  t.equal(got.body, '{"id":"notes.alone"}')
  const { paths } = fastify.swagger() as { paths: object }
  t.strictSame(
    Object.keys(paths).filter((path) => path.startsWith('/notes')),
    ['/notes/{id}']
  )
  t.match(
    fastify.controllers.map(({ method, path }) => `${method} ${path}`),
    ['POST /notes/:id', 'GET /notes/:id', 'JOB /notes/notes.sweep', 'JOB /notes/notes.alone']
  )
})

t.test('what a method throws is the failure of its attempt', async (t) => {
  let attempts = 0
  @controller('/work')
  class Work {
    @Job('work.flaky', { retries: 3 })
    async flaky(): Promise<void> {
      attempts += 1
      if (attempts < 2) throw new Error('not yet')
    }

    @Job('work.final')
    final(): void {
      throw new FinalJobFailure('the account is closed')
    }

    @Job('work.denied', { retries: 0 })
    denied(): void {
      throw Object.assign(new Error('the bank says no'), { statusCode: 403 })
    }

    @Job('work.long', { timeoutS: 1, retries: 0 })
    async long(@Ctx() { job }: JobContext): Promise<void> {
      await new Promise((_, reject) => job.signal.addEventListener('abort', () => reject(job.signal.reason)))
    }
  }
  const { jobs, ended } = await opened(t, [Work])
  const [flaky, final, denied, long] = await Promise.all(
    ['flaky', 'final', 'denied', 'long'].map(async (name) => ended((await jobs.add(`work.${name}`)).id))
  )
  t.match(flaky, { state: 'done', attempts: 2 })
  t.match(final, { state: 'failed', attempts: 1, reason: 'the account is closed' })
  t.match(denied, { state: 'failed', reason: 'the bank says no' }, 'its own 403 is a failure and parks nothing')
  t.match(long, { state: 'failed', reason: /longer than 1 seconds/ })
})

t.test('a hook of the application that answers a run leaves its job for later', async (t) => {
  let open = false
  let ran = 0
  @controller('/work')
  class Work {
    @Job('work.held')
    held(): void {
      ran += 1
    }
  }
  const { jobs, ended } = await opened(t, [Work], (fastify) => {
    fastify.addHook('preValidation', async (_request, reply) => (open ? undefined : reply.code(503).send('busy')))
  })
  const { id } = await jobs.add('work.held')
  await until(async () => (await jobs.get(id)).reason !== null, 'a first attempt')
  t.match(await jobs.get(id), { state: 'waiting', reason: /could not begin: its request was answered with 503/ })
  t.equal(ran, 0)
  open = true
  t.match(await ended(id), { state: 'done' })
})

t.test('schedules of methods', async (t) => {
  const seen: unknown[] = []
  @controller('/reports')
  class Reports {
    @Cron('* * * * * *', { zone: 'UTC' })
    second(@Ctx() { job }: JobContext): void {
      seen.push([job.name, job.cause])
    }

    @Cron('0 6 * * *', { zone: 'Europe/Berlin', name: 'mornings', body: { of: 'day' } })
    @Cron('0 6 1 * *', { zone: 'Europe/Berlin', name: 'months', body: { of: 'month' } })
    @Job('report.write', { body: { type: 'object', required: ['of'] } })
    write(): void {
      // The day is written elsewhere.
    }
  }
  const { jobs } = await opened(t, [Reports])
  t.match((await jobs.schedules.list()).map(({ name, job, zone }) => [name, job, zone]).sort(), [
    ['Reports.second', 'Reports.second', 'UTC'],
    ['months', 'report.write', 'Europe/Berlin'],
    ['mornings', 'report.write', 'Europe/Berlin']
  ])
  await until(() => seen.length > 0, 'a slot')
  t.strictSame(seen[0], ['Reports.second', null])
})

t.test('mistakes end the boot, all together', async (t) => {
  @controller('/bad')
  class Bad {
    @Job('bad name')
    named(): void {}

    @Job('twice')
    @Job('twice.again')
    two(): void {}

    @Job('asked')
    asked(@Query('q') _q: string, @Headers('h') _h: string, @Body({ stream: true }) _s: unknown): void {}

    @Job('same')
    one(): void {}

    @Job('same')
    other(): void {}

    @Cron('* * * * *', { zone: 'UTC' })
    @IsGranted('ROLE_ADMIN')
    guarded(): void {}
  }
  @controller('/files/*')
  class Files {
    @Job('files.sweep')
    sweep(): void {}
  }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs)
  const problems = await problemsOf(async () => fastify.register(svcDecorators, { controllers: [Bad, Files] }))
  t.match(problems.map(({ code, message }) => `${code} ${message}`).sort(), [
    /SVC_JOB_METHOD Bad.guarded has @Cron\('\* \* \* \* \*'\) and a guard, which nobody passes/,
    /SVC_JOB_METHOD Bad.named has @Job\('bad name'\), which names no job/,
    /SVC_JOB_METHOD Bad.two is two jobs/,
    /SVC_JOB_METHOD Files.sweep is a job, and the body cannot stand for the parameters of \/files\/\*/,
    /SVC_JOB_METHOD two jobs are named "same", Bad.one and Bad.other/,
    /SVC_ROUTE_PARAMETER Bad.asked has @Body\({ stream: true }\), but the body of a job is no stream/,
    /SVC_ROUTE_PARAMETER Bad.asked has @Headers\('h'\), but a job has no headers/,
    /SVC_ROUTE_PARAMETER Bad.asked has @Query\('q'\), but a job has no query/
  ])
  t.ok(problems.every(({ at, fix }) => at?.includes('job-methods.test') && fix !== undefined))
})

t.test('a job that nothing runs, and one that a function has already, end the boot', async (t) => {
  @controller('/work')
  class Work {
    @Job('work.do')
    run(): void {}
  }
  const alone = Fastify()
  t.teardown(() => alone.close())
  await alone.register(svcDecorators, { controllers: [Work] })
  t.match(await problemsOf(async () => alone.ready()), [{ code: 'SVC_JOBS_ENGINE', message: /Work\.run is the job/ }])

  const twice = Fastify()
  t.teardown(() => twice.close())
  await twice.register(svcDecorators, { controllers: [Work] })
  await twice.register(svcJobs)
  twice.jobs.define('work.do', {}, () => undefined)
  t.match(await problemsOf(async () => twice.ready()), [
    { code: 'SVC_JOBS_DEFINED', message: /another one has this name/, at: /job-methods\.test/ }
  ])
})

t.test('settings of a method that cannot be end the boot, and name its place', async (t) => {
  @controller('/work')
  class Clocked {
    @Cron('0 6 * * *', { zone: 'Mars/Base' })
    run(): void {}
  }
  @controller('/work')
  class Tried {
    @Job('work.tried', { retries: -1 })
    run(): void {}
  }
  const said = [
    [Clocked, { code: 'SVC_JOBS_SCHEDULE', message: /no time zone "Mars\/Base"/ }],
    [Tried, { code: 'SVC_JOBS_DEFINED', message: /"work.tried".*retries is from 0 to 100, and not -1/ }]
  ] as const
  for (const [controllers, problem] of said) {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcDecorators, { controllers: [controllers] })
    await fastify.register(svcJobs)
    t.match(await problemsOf(async () => fastify.ready()), [{ ...problem, at: /job-methods\.test/ }])
  }
})
