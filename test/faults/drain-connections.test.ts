/** HTTP connections while an instance leaves, byte by byte: none is cut, each ends with the answer that says so. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { application, httpsCertificate } from 'svc-host'
import t, { type Test } from 'tap'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { type ServedProcess, startServed } from './served-process.ts'

const KEEP = { connection: 'keep-alive' }
const AT_ONCE = rawRequest('GET', '/at-once', KEEP)
const LATER = rawRequest('GET', '/', KEEP)

async function draining(t: Test, before: (served: ServedProcess) => Promise<unknown> = async () => undefined) {
  const served = await startServed(t, { server: { drainDelayMs: 120_000 } })
  await before(served)
  process.kill(served.running.pid, 'SIGTERM')
  await served.running.shows(/answers requests for another/)
  return served
}

async function opened(t: Test, port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port)
  t.teardown(() => connection.close())
  return connection
}

const ended = async ({ socket }: RawConnection) => {
  if (!socket.closed) await once(socket, 'close')
}

t.test('an idle connection stays open; its next answer ends it', async (t) => {
  let kept: RawConnection | undefined
  await draining(t, async ({ port }) => {
    kept = await opened(t, port)
    t.match(await kept.exchange(AT_ONCE), { status: 200, headers: { connection: 'keep-alive' } })
  })
  const connection = kept as RawConnection
  t.notOk(connection.socket.closed)
  t.match(await connection.exchange(AT_ONCE), { status: 200, headers: { connection: 'close' } })
  await ended(connection)
})

t.test('a request that was under way says it too', async (t) => {
  let busy: RawConnection | undefined
  let answer: Promise<unknown> | undefined
  const { get } = await draining(t, async ({ port, running }) => {
    busy = await opened(t, port)
    answer = busy.exchange(rawRequest('GET', '/held', KEEP))
    await running.shows(/held began/)
  })
  await get('/free')
  t.match(await answer, { status: 200, headers: { connection: 'close' }, body: '{"held":true}' })
  await ended(busy as RawConnection)
})

t.test('of pipelined requests each is answered, and the last answer ends the connection', async (t) => {
  const { port } = await draining(t)
  for (const [name, request] of [
    ['answered within the call', AT_ONCE],
    ['answered later', LATER]
  ] as const) {
    const connection = await opened(t, port)
    connection.socket.write(request.repeat(3))
    for (const says of ['keep-alive', 'keep-alive', 'close']) {
      t.match(await connection.next(), { status: 200, headers: { connection: says } }, name)
    }
    await ended(connection)
  }
})

t.test('a request that follows one under way takes over the end of the connection', async (t) => {
  const { port, get, running } = await draining(t)
  const connection = await opened(t, port)
  connection.socket.write(rawRequest('GET', '/held', KEEP))
  await running.shows(/held began/)
  connection.socket.write(AT_ONCE)
  await get('/')
  await get('/free')
  t.match(await connection.next(), { status: 200, body: '{"held":true}' })
  t.match(await connection.next(), { status: 200, headers: { connection: 'close' }, body: '{"ok":true}' })
  await ended(connection)
})

t.test('requests pipelined before the drain are all answered', async (t) => {
  let busy: RawConnection | undefined
  const { get } = await draining(t, async ({ port, running }) => {
    busy = await opened(t, port)
    busy.socket.write(rawRequest('GET', '/held', KEEP) + AT_ONCE)
    await running.shows(/held began/)
  })
  await get('/free')
  const connection = busy as RawConnection
  t.match(await connection.next(), { status: 200, body: '{"held":true}' })
  t.match(await connection.next(), { status: 200, body: '{"ok":true}' })
  const { headers } = await connection.exchange(AT_ONCE)
  t.equal(headers.connection, 'close')
  await ended(connection)
})

t.test('Expect: 100-continue is invited and answered; another expectation is refused', async (t) => {
  const { port } = await draining(t)
  const connection = await opened(t, port)
  const body = '{"a":1}'
  const head = { ...KEEP, 'content-type': 'application/json', 'content-length': String(body.length) }
  connection.socket.write(rawRequest('POST', '/body', { ...head, expect: '100-continue' }))
  const [invitation] = (await once(connection.socket, 'data')) as [string]
  t.match(invitation, /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  connection.socket.write(body)
  const [text] = (await once(connection.socket, 'data')) as [string]
  t.match(text, /^HTTP\/1\.1 200 OK[\s\S]*\r\nconnection: close\r\n[\s\S]*\{"body":\{"a":1\}\}$/i)
  await ended(connection)
  const other = await opened(t, port)
  t.match(await other.exchange(rawRequest('POST', '/body', { ...head, expect: 'wonders' })), {
    status: 417,
    headers: { connection: 'close' }
  })
  await ended(other)
})

/** Files of the certificate that development makes. */
async function certificate(t: Test): Promise<{ key: string; cert: string }> {
  const folder = t.testdir({ 'package.json': '{}' })
  const made = await httpsCertificate(
    application(
      { mode: 'development', server: { https: true }, modules: [] },
      pathToFileURL(join(folder, 'app.ts')).href
    )
  )
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  await writeFile(files.key, made.key as string)
  await writeFile(files.cert, made.cert as string)
  return files
}

t.test('TLS: the same', async (t) => {
  const https = { port: 0, ...(await certificate(t)) }
  const { running } = await startServed(t, { server: { drainDelayMs: 120_000, https } })
  const [, text] = await running.shows(/https:\/\/127\.0\.0\.1:(\d+)/)
  const opening = async () => {
    const socket = connectTls({ port: Number(text), host: '127.0.0.1', rejectUnauthorized: false })
    t.teardown(() => socket.destroy())
    await once(socket, 'secureConnect')
    return RawConnection.over(socket)
  }
  const idle = await opening()
  t.match(await idle.exchange(AT_ONCE), { headers: { connection: 'keep-alive' } })
  const busy = await opening()
  busy.socket.write(rawRequest('GET', '/held', KEEP))
  await running.shows(/held began/)
  process.kill(running.pid, 'SIGTERM')
  await running.shows(/answers requests for another/)
  t.match(await idle.exchange(rawRequest('GET', '/free', KEEP)), { status: 200, headers: { connection: 'close' } })
  t.match(await busy.next(), { status: 200, headers: { connection: 'close' }, body: '{"held":true}' })
  const pipelined = await opening()
  pipelined.socket.write(AT_ONCE.repeat(2))
  t.match(await pipelined.next(), { status: 200, headers: { connection: 'keep-alive' } })
  t.match(await pipelined.next(), { status: 200, headers: { connection: 'close' } })
  await Promise.all([idle, busy, pipelined].map(ended))
})
