/** The work behind an answer, as a record has it: methods, calls of repositories and votes, each with its time. */
import { currentRequest, requestChannels } from 'svc-kernel'
import t from 'tap'
import { recordingApplication } from '../support/recording-application.ts'

const { operation, repository, statement, decision } = requestChannels

const call = { connector: 'main', entity: 'Note', operation: 'find', plan: 'find Note where title = ?' }

t.test('calls lie within their method, statements within their call', async (t) => {
  const { fastify, read } = await recordingApplication(t)
  fastify.get('/notes', (request) =>
    operation.trace({ request, name: 'Notes.list' }, async () => {
      await repository.trace({ ...call }, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        statement.publish({ connector: 'main', kind: 'select', table: 'note', durationMs: 0, failed: false })
      })
      await repository
        .trace({ ...call, operation: 'create' }, async () => Promise.reject(new Error('no')))
        .catch(() => null)
      return 'ok'
    })
  )
  await fastify.inject('/notes')
  const {
    whole: { calls, statements, durationMs }
  } = await read('/notes')
  t.match(calls, [
    { kind: 'repository', name: 'find Note', plan: 'find Note where title = ?', failed: false, afterwards: false },
    { kind: 'repository', name: 'create Note', failed: true },
    { kind: 'operation', name: 'Notes.list', plan: null, failed: false, afterwards: false }
  ])
  const [find, , list] = calls as { at: number; durationMs: number }[]
  t.ok((find?.at ?? 0) - (find?.durationMs ?? 0) >= (list?.at ?? 0) - (list?.durationMs ?? 0))
  t.ok((find?.at ?? 0) <= (list?.at ?? 0) && (list?.at ?? 0) <= durationMs + 1)
  t.ok(statements[0].at <= (find?.at ?? 0))
})

t.test('votes have their times; what comes after the answer stands apart', async (t) => {
  const { fastify, read } = await recordingApplication(t)
  let over = (): void => undefined
  const later = new Promise<void>((resolve) => {
    over = resolve
  })
  fastify.get('/voted', async (request) => {
    const vote = { voter: 'role', vote: 'GRANT', atMs: 1, durationMs: 2 } as const
    const decided = { attribute: 'ROLE_A', subject: null, granted: true, reason: null, durationMs: 4 }
    decision.publish({ request, ...decided, votes: [vote] })
    void later.then(() => repository.trace({ ...call }, () => currentRequest()))
    return 'ok'
  })
  await fastify.inject('/voted')
  over()
  await later
  await new Promise((resolve) => setImmediate(resolve))
  const {
    whole: { calls, decisions }
  } = await read('/voted')
  t.match(calls, [{ name: 'find Note', afterwards: true }])
  const [{ at, durationMs, votes }] = decisions
  t.equal(durationMs, 4)
  t.match(votes, [{ voter: 'role', vote: 'GRANT', durationMs: 2 }])
  t.ok(Math.abs(votes[0].at - (at - 4 + 1 + 2)) < 1e-6, 'its end, from the beginning of the decision')
})
