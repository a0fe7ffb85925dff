/** One caller at every door: the firewall and the guards decide alike, and nothing goes round them. */
import { join } from 'node:path'
import type { Returned, Taken } from 'svc-client'
import t, { type Test } from 'tap'
import { addDoor, buildApp, callersOf } from '../../src/index.ts'
import { added, type Notes, printed } from '../fixtures/doors/app.ts'

const DOORS = join(import.meta.dirname, '../fixtures/doors')

interface Errors {
  SVC_SEC_DENIED: 403
  SVC_SEC_UNAUTHENTICATED: 401
  SVC_HTTP_VALIDATION: 400
}

interface Routes {
  'GET /api/notes/:id': { input: { params: { id: string } }; answer: Returned<Notes['read']>; errors: Errors }
  'POST /api/notes': { input: { body: Taken<Notes['add'], 0> }; answer: Returned<Notes['add']>; errors: Errors }
  'GET /api/admin': { input: object; answer: string; errors: Errors }
  'WEBSOCKET /api/echo': { input: object; message: string; answer: Returned<Notes['echo']>; errors: Errors }
}

const ada = { identifier: 'ada', roles: ['ROLE_USER'] }

async function built(t: Test) {
  printed.length = 0
  added.length = 0
  const app = await buildApp(DOORS)
  t.teardown(() => app.close())
  return app
}

t.test('HTTP and the socket answer alike', async (t) => {
  const callers = callersOf<Routes>(await built(t), ada)
  const params = { id: 'a/b' }
  for (const door of [callers.http, callers.socket]) {
    t.strictSame(await door.call('GET /api/notes/:id', { params }), {
      id: 'a/b',
      readBy: 'ada',
      at: '1970-01-01T00:00:00.000Z'
    })
    t.strictSame(await door.call('POST /api/notes', { body: { title: 'tea' } }), { title: 'tea' })
    const long = await door.attempt('POST /api/notes', { body: { title: 'x'.repeat(30) } })
    t.match(long, {
      ok: false,
      error: { code: 'SVC_HTTP_VALIDATION', status: 400, data: { details: [{ path: '/title' }] } }
    })
    const denied = await door.attempt('GET /api/admin')
    t.match(denied, { ok: false, error: { code: 'SVC_SEC_DENIED', status: 403 } })
  }
  t.strictSame(added, ['tea', 'tea'])
  t.equal(callers.http, callers.http, 'a door is opened once')
})

t.test('tools are those that the caller may call, and answer as the routes do', async (t) => {
  const app = await built(t)
  // The endpoint takes access tokens, and so does the zone of the routes.
  const { tool } = callersOf<Routes>(app, { ...ada, type: 'jwt' })
  t.strictSame(await tool.list(), ['read_note'])
  const { value, code } = await tool.call('read_note', { id: 'a' })
  t.match([JSON.parse(value as string), code], [{ id: 'a', readBy: 'ada' }, null])
  t.match(await tool.call('read_note', {}), { code: 'SVC_MCP_ARGUMENTS' })
  t.match(await tool.call('admin'), { code: 'SVC_SEC_DENIED' })
  await t.rejects(tool.call('nothing'), { code: 'SVC_TEST_TOOL_REFUSED', message: /tools\/call/ })
  const root = callersOf<Routes>(app, { ...ada, roles: ['ROLE_USER', 'ROLE_ADMIN'], type: 'jwt' })
  t.strictSame([...(await root.tool.list())].sort(), ['admin', 'read_note'])
  t.match(await root.tool.call('admin'), { value: 'hi', code: null })
})

t.test('a change over the socket is made once under one key', async (t) => {
  const { socket } = callersOf<Routes>(await built(t), ada)
  const call = { body: { title: 'tea' }, once: 'my-key' }
  await Promise.all([socket.call('POST /api/notes', call), socket.attempt('POST /api/notes', call)])
  t.strictSame(await socket.call('POST /api/notes', call), { title: 'tea' })
  t.strictSame(added, ['tea'])
})

t.test('nobody gets in at any door', async (t) => {
  const callers = callersOf<Routes>(await built(t))
  const outcome = await callers.http.attempt('GET /api/admin')
  t.match(outcome, { ok: false, error: { code: 'SVC_SEC_UNAUTHENTICATED', status: 401 } })
  await t.rejects(callers.socket.call('GET /api/admin'), { code: 'SVC_TEST_NO_SOCKET' })
  await t.rejects(callers.job.run('note.print', { title: 'tea' }), { code: 'SVC_TEST_JOB_NOT_ADDED', message: /401/ })
  await t.rejects(callers.tool.list(), { code: 'SVC_TEST_TOOL_REFUSED', message: /401/ })
  t.strictSame(printed, [])
})

t.test('a credential is checked as any other', async (t) => {
  const app = await built(t)
  const guess = callersOf<Routes>(app, { headers: { 'x-svc-acting-as': 'act_guess' } })
  t.match(await guess.http.attempt('GET /api/admin'), { ok: false, error: { status: 401 } })
})

t.test('a job runs as its caller, who is looked up and judged again', async (t) => {
  const app = await built(t)
  t.match(await callersOf(app, ada).job.run('note.print', { title: 'tea' }), { name: 'note.print', result: 'done' })
  t.strictSame(printed, ['tea for ada'])
  const stranger = callersOf(app, { identifier: 'eve', roles: ['ROLE_USER'] })
  await t.rejects(stranger.job.run('note.print', { title: 'tea' }), {
    code: 'SVC_TEST_JOBS_FAILED',
    message: /no user eve/
  })
  const parked = await stranger.job.run('note.print', { title: 'tea' }, { allowFailures: true })
  t.match(parked, { result: 'parked' })
  await t.rejects(callersOf(app, ada).job.run('note.print', { title: 7 }), {
    code: 'SVC_TEST_JOB_NOT_ADDED',
    message: /400/
  })
  t.strictSame(printed, ['tea for ada'])
})

t.test('messages of a channel, and of a WEBSOCKET route', async (t) => {
  const { http, socket } = callersOf<Routes>(await built(t), ada)
  const heard: unknown[] = []
  const twice = new Promise<void>((resolve) => {
    void socket.subscribe('notes', (data) => heard.push(data) === 2 && resolve())
  })
  await socket.publish('notes', { n: 1 })
  await socket.publish('notes', { n: 2 })
  await twice
  t.strictSame(heard, [{ n: 1 }, { n: 2 }])
  await t.rejects(
    socket.subscribe('closed', () => undefined),
    { message: /access denied/ }
  )

  const echo = await http.subscribe('WEBSOCKET /api/echo')
  echo.send('a')
  echo.send('b')
  const answers: unknown[] = []
  for await (const answer of echo) if (answers.push(answer) === 2) break
  t.strictSame(answers, [{ echo: 'a' }, { echo: 'b' }])

  t.equal((await socket.close()).code, 1000)
  await t.rejects(socket.call('GET /api/admin'), { code: 'SVC_CLIENT_CLOSED' })
})

t.test('a door that another package adds', async (t) => {
  const callers = callersOf<Routes>(await built(t), ada) as unknown as Record<string, { name: string }>
  t.throws(() => callers.lane, { code: 'SVC_TEST_NO_DOOR', message: /http, socket, job, tool/ })
  addDoor('lane', ({ headers }) => ({ name: Object.keys(headers).join() }))
  t.strictSame(callers.lane, { name: 'x-svc-acting-as' })
})
