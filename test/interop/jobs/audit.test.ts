/** Changes that administrators make to jobs, lanes and schedules are in the journal, with who made them. */
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import svcJobs from 'svc-jobs'
import { type AuditEvent, createAccessToken } from 'svc-kernel'
import t from 'tap'

t.test('each change is an event of the journal', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcAudit)
  await fastify.register(svcJobs, { run: false })
  const { jobs } = fastify
  jobs.define('report', {}, () => undefined)
  jobs.schedule('nightly', '0 6 * * *', { zone: 'UTC', job: 'report' })
  fastify.addHook('onRequest', async (request) => {
    const token = createAccessToken({ type: 'session', user: { identifier: 'root', roles: ['ROLE_SVC_ADMIN'] } })
    Object.assign(request, { user: token.user, token })
  })
  fastify.accessGate.use({ allows: ({ user }) => user.roles.includes('ROLE_SVC_ADMIN') })
  await fastify.ready()
  const events: AuditEvent[] = []
  fastify.audit.subscribe((event) => void events.push(event))
  const { id } = await jobs.add('report')
  for (const path of [
    `jobs/${id}/cancel`,
    `jobs/${id}/retry`,
    ...['pause', 'resume'].map((each) => `lanes/report/${each}`),
    ...['pause', 'resume', 'run'].map((each) => `schedules/nightly/${each}`)
  ]) {
    const { statusCode } = await fastify.inject({ method: 'POST', url: `/svc/jobs/api/${path}` })
    t.ok(statusCode < 300, `${path}: ${statusCode}`)
  }
  const redrive = await fastify.inject({
    method: 'POST',
    url: '/svc/jobs/api/redrive',
    payload: { state: 'failed' }
  })
  t.strictSame(
    events.map(({ category, action, outcome, actor, resource }) => [category, action, outcome, actor, resource]),
    [
      ['config', 'job.cancelled', 'success', 'root', id],
      ['config', 'job.retried', 'success', 'root', id],
      ['config', 'lane.paused', 'success', 'root', 'report'],
      ['config', 'lane.resumed', 'success', 'root', 'report'],
      ['config', 'schedule.paused', 'success', 'root', 'nightly'],
      ['config', 'schedule.resumed', 'success', 'root', 'nightly'],
      ['config', 'schedule.run', 'success', 'root', 'nightly'],
      ['config', 'job.redriven', 'success', 'root', redrive.json().id]
    ]
  )
})
