/** `svc jobs` on a real database, beside a server that runs the jobs: what a command says is what the database has. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const WORK = `import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

export default fp(async ({ jobs }: FastifyInstance) => {
  jobs.define('note', { body: { type: 'object', required: ['n'] }, unique: (body) => String((body as { n: number }).n) }, () => undefined)
  jobs.define('broken', { retries: 0 }, () => Promise.reject(new Error('no paper\\nleft')))
  jobs.define('nightly', {}, () => undefined)
  jobs.schedule('nightly', '0 3 * * *', { zone: 'UTC' })
}, { name: 'work' })
`

/** Preset `api`, with jobs. */
async function working(t: Test): Promise<string> {
  const cwd = await createdApp(t, 'api')
  await write(cwd, 'work.ts', WORK)
  await edit(
    cwd,
    'svc.config.ts',
    ["import svcOpenapi from 'svc-openapi'", "import svcJobs from 'svc-jobs'\nimport svcOpenapi from 'svc-openapi'"],
    ["import { env } from './env.ts'", "import { env } from './env.ts'\nimport work from './work.ts'"],
    ["[svcDecorators, { dir: './controllers' }]", "svcJobs,\n    work,\n    [svcDecorators, { dir: './controllers' }]"]
  )
  return cwd
}

t.test('jobs are added, listed, shown, cancelled and retried, and no command runs them', async (t) => {
  const cwd = await working(t)
  const svc = (...args: string[]) => runSvc(['jobs', ...args], { cwd })
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await svc(...args)
    t.equal(code, 0, stderr)
    return stdout
  }
  t.equal(await ok('list'), 'no jobs\n')
  const added = JSON.parse(await ok('run', 'note', '--body', '{"n":1,"apiKey":"k-1"}', '--json'))
  t.match(added, { name: 'note', added: true })
  t.match(await ok('run', 'note', '--body', '{"n":1}'), `no job was added: ${added.id} has the same unique key`)
  t.match(await ok('run', 'broken'), /^added job \S+ \(broken\); npx svc jobs show/)
  t.match(
    await ok('list'),
    /^ID +NAME +STATE +ATTEMPTS +DUE OR ENDED +REASON\n\S+ +broken +waiting +0 +\S+Z +-\n\S+ +note +waiting +0 +\S+Z +-\n$/
  )
  t.match(await ok('list', '--limit', '1'), 'the newest 1; --limit shows more')
  const shown = await ok('show', added.id)
  t.match(shown, /^id +\S+\nname +note\nlane +note\nstate +waiting\n/)
  t.match(shown, /caused by +the application\n/)
  t.notMatch(shown, 'k-1', 'what is named like a secret is masked')
  t.match(JSON.parse(await ok('show', added.id, '--json')), { id: added.id, state: 'waiting', body: { n: 1 } })

  t.equal(await ok('cancel', added.id), `job ${added.id} is cancelled; an attempt that runs is told within a second\n`)
  t.match(JSON.parse(await ok('list', '--state', 'cancelled', '--json')), [{ id: added.id, state: 'cancelled' }])
  t.equal(await ok('retry', added.id), `job ${added.id} is due again\n`)
  t.match(JSON.parse(await ok('list', '--name', 'note', '--json')), [{ id: added.id, state: 'waiting' }])

  await t.test('a server runs them, and the journal has the changes', async (t) => {
    const running = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
    await running.address()
    let states = ''
    for (let looks = 0; looks < 100 && states !== 'broken failed, note done'; looks += 1) {
      await setTimeout(100)
      const jobs = JSON.parse(await ok('list', '--json')) as { name: string; state: string }[]
      states = jobs.map(({ name, state }) => `${name} ${state}`).join(', ')
    }
    t.equal(states, 'broken failed, note done')
    const file = new DatabaseSync(join(cwd, 'data/app.db'), { readOnly: true })
    t.teardown(() => file.close())
    const journal = file
      .prepare("SELECT action, resource FROM svc_audit_event WHERE action LIKE 'job.%' ORDER BY ts")
      .all()
    t.strictSame(
      journal.map(({ action }) => action),
      ['job.run', 'job.run', 'job.cancelled', 'job.retried']
    )
    t.equal(journal[0]?.resource, added.id)
    t.match(await ok('list', '--state', 'failed'), /broken +failed +1 +\S+ +no paper\\u000aleft\n$/)

    const [{ endedAt: before }] = JSON.parse(await ok('list', '--state', 'failed', '--json'))
    const retried = await ok('retry', '--state', 'failed', '--name', 'broken', '--reason', 'NO PAPER')
    const [, redrive = ''] = /^added job (\S+) \(svc\.redrive\), which runs them again/.exec(retried) ?? []
    let after: unknown = before
    for (let looks = 0; looks < 100 && after === before; looks += 1) {
      await setTimeout(100)
      after =
        file.prepare("SELECT endedAt FROM svc_job WHERE name = 'broken' AND state = 'failed'").get()?.endedAt ?? before
    }
    t.ok(Number(after) > Number(before), 'it has run and failed again')
    for (let looks = 0; looks < 100 && !/^state +done$/m.test(await ok('show', redrive)); looks += 1)
      await setTimeout(100)
    t.match(await ok('show', redrive), /^progress +100 %, 1 put back, 0 skipped$/m)
    const redriven = file.prepare("SELECT resource FROM svc_audit_event WHERE action = 'job.redriven'").all()
    t.strictSame(
      redriven.map(({ resource }) => resource),
      [redrive]
    )
  })
})

t.test('schedules are listed with their next slots, paused, resumed and run', async (t) => {
  const cwd = await working(t)
  const svc = (...args: string[]) => runSvc(['jobs', ...args], { cwd })
  const state = async () => (await svc('schedules')).stdout
  t.match(
    await state(),
    /^SCHEDULE +CRON +ZONE +STATE +JOB +LAST SLOT +NEXT SLOTS\nnightly +0 3 \* \* \* +UTC +active +nightly +- +\S+T03:00:00Z, \S+T03:00:00Z, \S+T03:00:00Z\n$/
  )
  t.match((await svc('pause', 'nightly')).stdout, 'schedule nightly is paused')
  t.match(await state(), /UTC +paused +nightly +- +-\n$/)
  t.match((await svc('resume', 'nightly')).stdout, 'schedule nightly is resumed')
  const run = JSON.parse((await svc('run', 'nightly', '--json')).stdout)
  t.match(run, { name: 'nightly', added: true })
  const [schedule] = JSON.parse((await svc('schedules', '--json')).stdout)
  t.match(schedule, { name: 'nightly', paused: false, lastJob: { id: run.id, state: 'waiting' } })
  const busy = await svc('run', 'nightly')
  t.equal(busy.code, 1)
  t.match(busy.stderr, /SVC_JOBS_SCHEDULE_BUSY[\s\S]*fix: wait until its job has ended/)
})

t.test('maintenance jobs are listed where they are asked for, and a server runs one that is run by hand', async (t) => {
  const cwd = await working(t)
  const name = 'svc.maintenance.jobs'
  const ok = async (...args: string[]) => {
    const { code, stdout, stderr } = await runSvc(['jobs', ...args], { cwd })
    t.equal(code, 0, stderr)
    return stdout
  }
  const named = (text: string) => (JSON.parse(text) as { name: string }[]).map((each) => each.name)
  t.strictSame(named(await ok('schedules', '--json')), ['nightly'])
  const planned = await ok('schedules', '--system', '--json')
  t.ok(named(planned).every((each) => each.startsWith('svc.maintenance.')))
  t.match(JSON.parse(planned)[named(planned).indexOf(name)], { cron: '@every 600s', zone: 'UTC', lastJob: null })
  t.match(
    await ok('schedules', '--system'),
    /^svc\.maintenance\.jobs +@every 600s +UTC +active +svc\.maintenance\.jobs +- /m
  )
  const { id } = JSON.parse(await ok('run', name, '--json'))
  t.equal(await ok('list'), 'no jobs\n')
  t.match(JSON.parse(await ok('list', '--system', '--json')), [{ id, name, state: 'waiting' }])
  t.match(JSON.parse(await ok('list', '--name', name, '--json')), [{ id }])
  t.equal(await ok('lanes'), 'no lanes\n')
  t.match(await ok('lanes', '--system'), /^svc\.maintenance +active +1 +0 +\d+ s +1 +-$/m)
  t.match(await ok('pause', name), `schedule ${name} is paused`)
  t.match(await ok('resume', name), `schedule ${name} is resumed`)
  const running = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  await running.address()
  let done: string[] = []
  for (let looks = 0; looks < 100 && !done.includes(name); looks += 1) {
    await setTimeout(100)
    done = named(await ok('list', '--system', '--state', 'done', '--json'))
  }
  t.ok(done.includes(name))
  t.equal(await ok('list'), 'no jobs\n')
})

t.test('lanes are listed with what waits, paused and resumed', async (t) => {
  const cwd = await working(t)
  const svc = (...args: string[]) => runSvc(['jobs', ...args], { cwd })
  t.equal((await svc('lanes')).stdout, 'no lanes\n')
  await svc('run', 'note', '--body', '{"n":1}')
  t.match(
    (await svc('pause', '--lane', 'note')).stdout,
    'lane note is paused: no instance begins a job of it until it is resumed'
  )
  t.match(
    (await svc('lanes')).stdout,
    /^LANE +STATE +WAITING +RUNNING +OLDEST +AT ONCE +RATE\nnote +paused +1 +0 +\d+ s +- +-\n$/
  )
  t.match((await svc('resume', '--lane', 'note')).stdout, 'lane note is resumed')
  t.match(JSON.parse((await svc('lanes', '--json')).stdout), [{ lane: 'note', paused: false, waiting: 1, running: 0 }])
})

t.test('a wrong argument is 2, a refusal 1, and both say what to do', async (t) => {
  const cwd = await working(t)
  const unknown = '00000000-0000-7000-8000-000000000001'
  const rows: [args: string[], code: number, says: RegExp][] = [
    [['show', unknown], 1, /SVC_JOBS_NOT_FOUND {2}no job has this id[\s\S]*fix: npx svc jobs list/],
    [['retry', unknown], 1, /SVC_JOBS_NOT_FOUND/],
    [
      ['retry'],
      2,
      /got no id, no state, expected the id of a job, or a state\n +fix: npx svc jobs retry --state failed/
    ],
    [['retry', '--name', 'note'], 2, /SVC_JOB_ARGUMENT/],
    [['retry', unknown, '--state', 'failed'], 2, /SVC_JOB_ARGUMENT/],
    [['retry', '--state', 'failed', '--name', ''], 1, /SVC_JOBS_BODY[\s\S]*fix: .*of retry, a --name/],
    [['retry', '--state', 'done'], 2, /Allowed choices are failed, parked/],
    [['cancel', unknown], 1, /SVC_JOBS_NOT_FOUND/],
    [['run', 'nope'], 1, /SVC_JOBS_UNKNOWN .*known: note, broken, nightly/],
    [['run', 'note', '--body', '{}'], 1, /SVC_JOBS_BODY .*body must have required property 'n'/],
    [['run', 'note', '--body', '{n:1}'], 2, /SVC_JOB_ARGUMENT {2}--body is not valid[\s\S]*expected JSON/],
    [['list', '--limit', '0'], 2, /SVC_JOB_ARGUMENT[\s\S]*expected 1 to 1000/],
    [['list', '--state', 'faild'], 2, /SVC_JOB_ARGUMENT[\s\S]*waiting \| running \| done \| failed/],
    [['pause', 'weekly'], 1, /SVC_JOBS_SCHEDULE_NOT_FOUND[\s\S]*fix: npx svc jobs schedules/],
    [['pause'], 2, /SVC_JOB_ARGUMENT[\s\S]*expected a schedule or a lane/],
    [['pause', 'nightly', '--lane', 'note'], 2, /SVC_JOB_ARGUMENT/],
    [['pause', '--lane', 'x'.repeat(201)], 1, /SVC_JOBS_LANE/],
    [['show'], 2, /SVC_CLI_USAGE/]
  ]
  for (const [args, code, says] of rows) {
    const answer = await runSvc(['jobs', ...args], { cwd })
    t.equal(answer.code, code, args.join(' '))
    t.match(answer.stderr, says, args.join(' '))
    t.equal(answer.stdout, '')
  }
})

t.test('an application without jobs, or with jobs in memory, has none to list', async (t) => {
  const none = await runSvc(['jobs', 'list'], { cwd: await createdApp(t, 'api') })
  t.equal(none.code, 1)
  t.match(none.stderr, /SVC_JOB_NONE[\s\S]*fix: npx svc module:add jobs/)
  const cwd = await working(t)
  await edit(cwd, 'svc.config.ts', ['svcJobs,\n', "[svcJobs, { store: 'memory' }],\n"])
  const volatile = await runSvc(['jobs', 'list'], { cwd })
  t.equal(volatile.code, 1)
  t.match(volatile.stderr, /SVC_JOB_VOLATILE/)
})
