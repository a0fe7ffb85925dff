/** `svc webhooks` on the real process, against a server that answers as the admin API does. */
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { emptyApp, sandbox } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const KEY = 'svc_key.sesame'
const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

interface Asked {
  readonly route: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer = readonly [status: number, body: unknown]

async function server(t: Test, answers: Readonly<Record<string, (body: string) => Answer>>) {
  const asked: Asked[] = []
  const http = createServer(async (request, response) => {
    const body = String(await buffer(request))
    const route = `${request.method} ${request.url?.replace('/svc/security/api/webhooks', '')}`
    asked.push({ route, headers: request.headers, body })
    const known = answers[route.replace(/\?.*/, '')]?.(body) ?? [404, { code: 'NONE', message: 'there is nothing' }]
    const [status, said] =
      request.headers.authorization === `Bearer ${KEY}` ? known : [401, { code: 'NO', message: 'no' }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => {
    http.close()
    http.closeAllConnections()
  })
  return { asked, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
}

const endpoint = { id: 'wh_1', url: 'https://a.example/', enabled: true, events: ['*'], failureCount: 3 }

t.test('list, test and resend', async (t) => {
  const { url, asked } = await server(t, {
    'GET ': () => [200, { endpoints: [endpoint], hasNext: false }],
    'POST /wh_1/test': () => [202, { messageId: 'msg_1' }],
    'POST /wh_1/deliveries/msg_1/resend': () => [202, { messageId: 'msg_1' }]
  })
  const svc = (...args: string[]) =>
    runSvc(['webhooks', ...args], { cwd: sandbox(t), env: { SVC_API_KEY: KEY, SVC_URL: url } })
  t.match(await svc('list'), { code: 0, stdout: /^ID +STATE +FAILURES +EVENTS +URL\nwh_1 +enabled +3 +\* +https/ })
  t.strictSame(JSON.parse((await svc('list', '--json')).stdout), [endpoint])
  t.match(await svc('test', 'wh_1'), { code: 0, stdout: /^sent msg_1;/ })
  t.match(await svc('resend', 'wh_1', 'msg_1'), { code: 0, stdout: /^sent msg_1 again/ })
  t.match(await svc('test', 'wh_x'), { code: 1, stderr: /SVC_HOOKS_REFUSED[\s\S]*there is nothing[\s\S]*404 NONE/ })
  t.equal(asked.length, 5)
})

t.test('refused before anything is asked, and what a server says', async (t) => {
  const { url, asked } = await server(t, {})
  const svc = (args: string[], env: Record<string, string> = {}) =>
    runSvc(['webhooks', ...args], { cwd: sandbox(t), env })
  t.match(await svc(['list', '--url', url]), { code: 2, stderr: /SVC_HOOKS_KEY[\s\S]*SVC_API_KEY/ })
  t.match(await svc(['list', '--url', 'ftp://x'], { SVC_API_KEY: KEY }), { code: 2, stderr: /SVC_HOOKS_URL/ })
  t.match(await svc(['recover', 'wh_1', '--since', 'soon', '--url', url], { SVC_API_KEY: KEY }), {
    code: 2,
    stderr: /SVC_HOOKS_TIME/
  })
  t.equal(asked.length, 0)
  const wrong = await svc(['list', '--url', url, '--key', 'another-sesame'])
  t.match(wrong, { code: 1, stderr: /SVC_HOOKS_REFUSED[\s\S]*401 NO/ })
  t.notMatch(wrong.stderr + wrong.stdout, /sesame/, 'no key is shown')
  const gone = await svc(['list', '--url', 'http://127.0.0.1:1'], { SVC_API_KEY: KEY })
  t.match(gone, { code: 1, stderr: /SVC_HOOKS_UNREACHABLE/ })
})

t.test('recover waits for the end, and says what is missing', async (t) => {
  let asked = 0
  const job = { id: 'rec_1', total: 4, done: 0, failed: 0, error: null }
  const { url, asked: requests } = await server(t, {
    'POST /wh_1/recover': () => [202, { ...job, state: 'reading', total: 0 }],
    'GET /wh_1/recover/rec_1': () => {
      asked += 1
      return [200, asked === 1 ? { ...job, state: 'sending', done: 2 } : { ...job, state: 'done', done: 3, failed: 1 }]
    }
  })
  const since = '2026-01-01T00:00:00Z'
  const { code, stdout, stderr } = await runSvc(['webhooks', 'recover', 'wh_1', '--since', since, '--url', url], {
    cwd: sandbox(t),
    env: { SVC_API_KEY: KEY }
  })
  t.equal(code, 1)
  t.match(stdout, /^done: 3 delivered, 1 failed, of 4/)
  t.match(stderr, /2\/4\n4\/4\n[\s\S]*SVC_HOOKS_RECOVERY/)
  t.strictSame(JSON.parse(requests[0]?.body ?? ''), { since: Date.parse(since) })
})

t.test('tail prints each delivery once, oldest first, until it is stopped', async (t) => {
  const delivery = {
    ts: 1,
    messageId: 'msg_1',
    type: 'login.failure',
    outcome: 'failed',
    status: 404,
    error: 'x',
    attempt: 1
  }
  const both = [{ ...delivery, ts: 2, messageId: 'msg_2', status: null }, delivery]
  const { url } = await server(t, { 'GET /wh_1/deliveries': () => [200, { deliveries: both }] })
  const tail = new SvcProcess(t, ['webhooks', 'tail', 'wh_1', '--url', url], {
    cwd: sandbox(t),
    env: { SVC_API_KEY: KEY }
  })
  await tail.says(/failed {2}404 .*msg_1\n/)
  await tail.says(/failed {2}x .*msg_2\n/)
  t.equal(await tail.stop(), 0)
})

t.test('listen verifies, forwards as it came, and deletes its endpoint', async (t) => {
  const key = randomBytes(32)
  const secret = `whsec_${key.toString('base64')}`
  let target = ''
  const { url, asked } = await server(t, {
    'POST ': (body) => {
      target = (JSON.parse(body) as { url: string }).url
      return [201, { endpoint: { id: 'wh_9' }, secret }]
    },
    'DELETE /wh_9': () => [200, { ok: true }]
  })
  const forwarded: { headers: IncomingHttpHeaders; body: string }[] = []
  const own = createServer(async (request, response) => {
    forwarded.push({ headers: request.headers, body: String(await buffer(request)) })
    response.writeHead(202).end()
  }).listen(0, '127.0.0.1')
  await once(own, 'listening')
  t.teardown(() => own.close())
  const cwd = emptyApp(t)
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const forward = `http://127.0.0.1:${(own.address() as AddressInfo).port}/hook`
  const args = ['webhooks', 'listen', '--forward', forward, '--event', 'login.*', '--url', url]
  const listen = new SvcProcess(t, args, { cwd, env: { SVC_API_KEY: KEY } })
  await listen.says(/wh_9 receives login\.\* from/)

  const body = '{"type":"login.failure"}'
  const time = String(Math.floor(Date.now() / 1000))
  const mac = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${mac}`,
    'x-own': 'kept'
  }
  t.equal((await fetch(target, { method: 'POST', headers, body })).status, 202)
  await listen.says(/login\.failure {2}msg_1 {2}verified, 202/)
  t.match(forwarded, [{ headers, body }])
  t.equal((await fetch(target, { method: 'POST', headers, body: '{"type":"forged"}' })).status, 401)
  await listen.says(/not verified/)
  t.equal(forwarded.length, 1, 'what is forged goes no further')

  t.equal(await listen.stop('SIGINT'), 0)
  t.equal(asked.at(-1)?.route, 'DELETE /wh_9')
})

t.test('X7: listen reads a bounded message of strangers, and shows nothing that steers a terminal', async (t) => {
  let target = ''
  const { url } = await server(t, {
    'POST ': (body) => {
      target = (JSON.parse(body) as { url: string }).url
      return [201, { endpoint: { id: 'wh_9' }, secret: `whsec_${randomBytes(32).toString('base64')}` }]
    },
    'DELETE /wh_9': () => [200, { ok: true }]
  })
  const cwd = emptyApp(t)
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const listen = new SvcProcess(t, ['webhooks', 'listen', '--url', url], { cwd, env: { SVC_API_KEY: KEY } })
  await listen.says(/wh_9 receives/)
  const type = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e'
  const body = JSON.stringify({ type })
  t.equal((await fetch(target, { method: 'POST', headers: { 'webhook-id': '\u009bid' }, body })).status, 401)
  await listen.says(/\\u001b\]0;owned\\u0007\\u001b\[2J\\u009b31m\\u202e {2}\\u009bid {2}not verified/)

  const long = Buffer.alloc(4 * 1024 * 1024, 'x')
  const answer = await fetch(target, { method: 'POST', body: long }).catch(() => null)
  t.ok(answer === null || answer.status === 413, 'the connection ends')
  await listen.says(/not verified: more than 1048576 bytes/)
  t.equal(await listen.stop('SIGINT'), 0)
})

t.test('listen says what a server needs that does not call this machine', async (t) => {
  const { url } = await server(t, { 'POST ': () => [422, { code: 'SVC_WEBHOOKS_URL_REFUSED', message: 'refused' }] })
  const cwd = emptyApp(t)
  symlinkSync(MODULES, join(cwd, 'node_modules'))
  const { code, stderr } = await runSvc(['webhooks', 'listen', '--url', url], { cwd, env: { SVC_API_KEY: KEY } })
  t.equal(code, 1)
  t.match(stderr, /SVC_HOOKS_LISTEN[\s\S]*allowHttp: true, allowCidrs/)
})
