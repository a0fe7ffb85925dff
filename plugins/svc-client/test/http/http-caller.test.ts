/** Calls by `fetch`: what is sent, what is read, what is made again. */
import t from 'tap'
import { CallError, type ClientOptions, createClient } from '../../src/index.ts'
import { type Answer, FakeServer, json, refusal } from '../support/fake-server.ts'

interface Note {
  readonly title: string
}

interface Errors {
  SHOP_SOLD_OUT: 409
}

interface Routes {
  'GET /notes/:id': { input: { params: { id: string } }; answer: Note; errors: Errors }
  'GET /file': { input: object; answer: ReadableStream<Uint8Array>; errors: Errors }
  'POST /notes': { input: { body: Note }; answer: Note; errors: Errors }
  'PUT /notes/:id': { input: { params: { id: string }; body: Note }; answer: Note; errors: Errors }
  'POST /upload': {
    input: { body: FormData | Blob | ReadableStream<Uint8Array> | string }
    answer: undefined
    errors: Errors
  }
  'DELETE /notes/:id': { input: { params: { id: string } }; answer: undefined; errors: Errors }
}

const soon = { delayMs: 1 }

function client(answers: readonly Answer[], options: ClientOptions = {}) {
  const server = new FakeServer(...answers)
  const api = createClient<Routes>({ baseUrl: 'http://x.example/app/', fetch: server.fetch, retry: soon, ...options })
  return { server, api }
}

t.test('a call', async (t) => {
  const { server, api } = client([json({ title: 'a' }, 201)], { headers: async () => ({ authorization: 'Bearer x' }) })
  t.strictSame(await api.call('POST /notes', { body: { title: 'a' }, headers: { 'x-a': '1' } }), { title: 'a' })
  t.match(server.asked[0], {
    method: 'POST',
    target: '/app/notes',
    headers: { authorization: 'Bearer x', 'x-a': '1', 'content-type': 'application/json' },
    body: '{"title":"a"}'
  })
  t.equal(server.asked[0]?.headers['idempotency-key'], undefined)
})

t.test('answers of every kind', async (t) => {
  const text = () => new Response('hi', { headers: { 'content-type': 'text/plain' } })
  const bytes = () => new Response('abc', { headers: { 'content-type': 'application/octet-stream' } })
  const { api } = client([new Response(null, { status: 204 }), text(), bytes(), bytes(), bytes(), json({ title: 'a' })])
  t.equal(await api.call('DELETE /notes/:id', { params: { id: '1' } }), undefined)
  t.equal(await api.call('GET /file'), 'hi')
  t.equal(await new Response(await api.call('GET /file')).text(), 'abc')
  t.equal(await (await (await api.fetch('GET /file')).blob()).text(), 'abc')
  t.equal((await api.fetch('GET /file')).status, 200)
})

t.test('uploads are sent as they are', async (t) => {
  const empty = () => new Response(null, { status: 204 })
  const { server, api } = client([empty(), empty(), empty(), empty()])
  const form = new FormData()
  form.set('file', new Blob(['abc']), 'a.txt')
  await api.call('POST /upload', { body: form })
  await api.call('POST /upload', { body: new Blob(['abc'], { type: 'image/png' }) })
  await api.call('POST /upload', { body: new Response('streamed').body as ReadableStream<Uint8Array> })
  await api.call('POST /upload', { body: 'a,b', headers: { 'content-type': 'text/csv' } })
  const [multipart, blob, stream, csv] = server.asked
  t.match(multipart?.headers['content-type'], /^multipart\/form-data; boundary=/)
  t.match(multipart?.body, /filename="a.txt"/)
  t.match(blob, { headers: { 'content-type': 'image/png' }, body: 'abc' })
  t.match(stream, { headers: { 'content-type': 'application/octet-stream' }, body: 'streamed' })
  t.match(csv, { headers: { 'content-type': 'text/csv' }, body: 'a,b' })
})

t.test('an error is thrown by call, and a value of attempt', async (t) => {
  const { api } = client([refusal(409, 'SHOP_SOLD_OUT'), refusal(409, 'SHOP_SOLD_OUT')])
  const expected = { code: 'SHOP_SOLD_OUT', status: 409, message: 'SHOP_SOLD_OUT it is', data: { error: 'Refused' } }
  await t.rejects(api.call('POST /notes', { body: { title: 'a' } }), expected)
  const outcome = await api.attempt('POST /notes', { body: { title: 'a' } })
  t.notOk(outcome.ok)
  t.match(outcome.error, expected)
  t.ok(outcome.error instanceof CallError)
})

t.test('errors that have no code of the server', async (t) => {
  const page = new Response('<h1>Bad gateway</h1>', { status: 400, headers: { 'content-type': 'text/html' } })
  const broken = new Response('{', { headers: { 'content-type': 'application/json' } })
  const { api } = client([page, broken, new TypeError('refused')], { retry: false })
  await t.rejects(api.call('GET /file'), { code: 'SVC_CLIENT_STATUS', status: 400, data: {} })
  await t.rejects(api.call('GET /file'), { code: 'SVC_CLIENT_ANSWER', status: 200 })
  await t.rejects(api.call('GET /file'), { code: 'SVC_CLIENT_NETWORK', status: 0 })
})

const network = () => new TypeError('connection reset')
const busy = (status: number, headers = {}) => refusal(status, 'SVC_X', headers)
/** method and settings, what is answered in turn, requests that are made */
const retries: ReadonlyArray<readonly [string, object, Answer[], number]> = [
  ['GET', {}, [network(), network(), json({})], 3],
  ['GET', {}, [network(), network(), network(), json({})], 3],
  ['GET', {}, [busy(503), json({})], 2],
  ['GET', {}, [busy(502), busy(504), json({})], 3],
  ['GET', {}, [busy(500), json({})], 1],
  ['GET', {}, [busy(404), json({})], 1],
  ['GET', { retry: false }, [busy(503), json({})], 1],
  ['GET', { retry: { times: 1, delayMs: 1 } }, [busy(503), busy(503), json({})], 2],
  ['GET', {}, [busy(429, { 'retry-after': '60' }), json({})], 1],
  ['GET', {}, [busy(429, { 'retry-after': '0' }), json({})], 2],
  ['PUT', {}, [network(), json({})], 2],
  ['DELETE', {}, [busy(503), json({})], 2],
  ['POST', {}, [network(), json({})], 1],
  ['POST', {}, [busy(503), json({})], 1],
  ['POST', {}, [busy(429), json({})], 2],
  ['POST', { once: true }, [network(), busy(503), json({})], 3],
  ['POST', { once: 'my-key' }, [network(), json({})], 2],
  ['POST', { once: true }, [refusal(409, 'SVC_SEC_IDEMPOTENCY_IN_FLIGHT'), json({})], 2],
  ['POST', { once: true }, [refusal(409, 'SHOP_SOLD_OUT'), json({})], 1]
]

for (const [index, [method, settings, answers, expected]] of retries.entries()) {
  t.test(`repetitions, row ${index}: ${method} ${JSON.stringify(settings)}`, async (t) => {
    const { server, api } = client(answers)
    const call = { params: { id: '1' }, body: { title: 'a' }, ...settings }
    if (method === 'GET') await api.attempt('GET /notes/:id', { params: { id: '1' }, ...settings })
    else if (method === 'PUT') await api.attempt('PUT /notes/:id', call)
    else if (method === 'DELETE') await api.attempt('DELETE /notes/:id', { params: { id: '1' }, ...settings })
    else await api.attempt('POST /notes', call)
    t.equal(server.asked.length, expected)
    const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']))
    t.equal(keys.size, 1, 'one key for all of them')
    if ('once' in settings) t.match([...keys][0], settings.once === true ? /^[\da-f-]{36}$/ : settings.once)
  })
}

t.test('a stream is not sent twice', async (t) => {
  const { server, api } = client([busy(429), new Response(null, { status: 204 })])
  const body = new Response('streamed').body as ReadableStream<Uint8Array>
  await t.rejects(api.call('POST /upload', { body, once: true }), { code: 'SVC_X' })
  t.equal(server.asked.length, 1)
})

t.test('abort and time limit', async (t) => {
  const hangs = (request: Request) =>
    new Promise<Response>((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
  const { api } = client([hangs, hangs])
  const controller = new AbortController()
  const call = api.call('GET /file', { signal: controller.signal })
  controller.abort()
  await t.rejects(call, { code: 'SVC_CLIENT_ABORTED', status: 0 })
  await t.rejects(api.call('GET /file', { timeoutMs: 1, retry: false }), { code: 'SVC_CLIENT_TIMEOUT', status: 0 })
})

t.test('an abort ends the wait before a repetition', async (t) => {
  const controller = new AbortController()
  const { server, api } = client([
    () => {
      queueMicrotask(() => setImmediate(() => controller.abort()))
      return busy(503, { 'retry-after': '9' })
    }
  ])
  await t.rejects(api.call('GET /file', { signal: controller.signal }), { code: 'SVC_CLIENT_ABORTED' })
  t.equal(server.asked.length, 1)
})

t.test('interceptors see requests and answers, the first outermost', async (t) => {
  const order: string[] = []
  const named = (name: string) => async (request: Request, next: (request: Request) => Promise<Response>) => {
    order.push(`${name} ${request.method}`)
    const response = await next(
      new Request(request, { headers: { ...Object.fromEntries(request.headers), [name]: '1' } })
    )
    order.push(`${name} ${response.status}`)
    return response
  }
  const { server, api } = client([json({ title: 'a' })], { interceptors: [named('a'), named('b')] })
  await api.call('POST /notes', { body: { title: 'a' } })
  t.strictSame(order, ['a POST', 'b POST', 'b 200', 'a 200'])
  t.match(server.asked[0]?.headers, { a: '1', b: '1' })
})

t.test('the CSRF token of a session', async (t) => {
  const csrf = '/csrf'
  const token = (csrfToken: string) => json({ csrfToken })
  const note = () => json({ title: 'a' })
  const post = { body: { title: 'a' } }

  await t.test('is read before the first change, and kept', async (t) => {
    const { server, api } = client([note(), token('one'), note(), note()], { csrf })
    await api.call('GET /notes/:id', { params: { id: '1' } })
    await api.call('POST /notes', post)
    await api.call('POST /notes', post)
    t.strictSame(
      server.asked.map(({ method, target, headers }) => [method, target, headers['x-csrf-token']]),
      [
        ['GET', '/app/notes/1', undefined],
        ['GET', '/app/csrf', undefined],
        ['POST', '/app/notes', 'one'],
        ['POST', '/app/notes', 'one']
      ]
    )
  })

  await t.test('is read again when it is that of an earlier session', async (t) => {
    const { server, api } = client([token('one'), refusal(403, 'SVC_SEC_CSRF'), token('two'), note()], { csrf })
    await api.call('POST /notes', post)
    t.strictSame(server.asked.at(-1)?.headers['x-csrf-token'], 'two')
  })

  await t.test('a token that is refused and does not change is an error', async (t) => {
    const { api } = client([token('one'), refusal(403, 'SVC_SEC_CSRF'), token('one')], { csrf })
    await t.rejects(api.call('POST /notes', post), { code: 'SVC_SEC_CSRF' })
  })

  await t.test('without a session there is none, and it is asked for again', async (t) => {
    const { server, api } = client([refusal(401, 'SVC_SEC_SESSION'), note(), token('one'), note()], { csrf })
    await api.call('POST /notes', post)
    await api.call('POST /notes', post)
    t.strictSame(
      server.asked.map(({ headers }) => headers['x-csrf-token']),
      [undefined, undefined, undefined, 'one']
    )
  })

  await t.test('requests with a token of their own need none', async (t) => {
    const { server, api } = client([note()], { csrf, headers: { authorization: 'Bearer x' } })
    await api.call('POST /notes', post)
    t.equal(server.asked.length, 1)
  })
})

t.test('outside of a page, the address is needed', async (t) => {
  t.throws(() => createClient<Routes>(), { name: 'TypeError', message: /baseUrl/ })
})
