/** A stop, seen from the wire: what runs is finished, what does not is closed at once, no client holds it up or is cut. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { devCertificate } from '../../src/tls/dev-certificate.ts'
import { type ChildProcess, startChild } from '../child-process.ts'

async function serving(t: Test, server: object = {}): Promise<{ child: ChildProcess; port: number }> {
  const child = startChild(t, 'serving', JSON.stringify({ server: { port: 0, ...server } }))
  const [, port] = await child.until(/listening at http:\/\/127\.0\.0\.1:(\d+)/)
  return { child, port: Number(port) }
}

interface Peer {
  readonly socket: Socket
  /** All that came in so far. */
  received(): string
}

async function said(t: Test, socket: Socket, text: string, connected = 'connect'): Promise<Peer> {
  let received = ''
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (more: string) => {
    received += more
  })
  t.teardown(() => socket.destroy())
  await once(socket, connected)
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve))
  return { socket, received: () => received }
}

const peer = (t: Test, port: number, text: string) => said(t, connect(port, '127.0.0.1'), text)

/** Waits until the server has read all that was sent before on other connections. */
async function settled(t: Test, port: number): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const { socket } = await peer(t, port, 'GET / HTTP/1.0\r\n\r\n')
    await once(socket, 'close')
  }
}

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n'

t.test('R8: half a head, idle and silent connections do not hold the stop', async (t) => {
  const { child, port } = await serving(t)
  const peers = await Promise.all([HEAD, 'G', '', `${HEAD}\r\n`].map((text) => peer(t, port, text)))
  await settled(t, port)
  const ended = Promise.all(peers.map(({ socket }) => once(socket, 'close')))
  child.signal('SIGTERM')
  t.same(await child.exit(), { code: 0, signal: null })
  await ended
  t.match(child.stdout, /closed/)
})

t.test('R8: https: half a handshake, half a head', async (t) => {
  const folder = t.testdir()
  await devCertificate(folder)
  const [key, cert] = ['key', 'crt'].map((part) => `${folder}/.svc/dev-certificate.${part}.pem`)
  const child = startChild(t, 'serving', JSON.stringify({ server: { port: 0, https: { port: 0, key, cert } } }))
  const [, text] = await child.until(/listening at https:\/\/127\.0\.0\.1:(\d+)/)
  const port = Number(text)
  const secure = () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await peer(t, port, '')
  await peer(t, port, '\x16\x03\x01')
  await said(t, secure(), HEAD, 'secureConnect')
  const slow = await said(t, secure(), 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n', 'secureConnect')
  await child.until(/slow began/)
  child.signal('SIGTERM')
  await once(slow.socket, 'close')
  t.match(slow.received(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*\{"slow":"finished"\}$/i)
  t.same(await child.exit(), { code: 0, signal: null })
})

t.test('R8: clients that keep the application waiting do not make a stop fail', async (t) => {
  const { child, port } = await serving(t, { closeGraceMs: 6000 })
  const body = 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"'
  await peer(t, port, body)
  const upgraded = await peer(t, port, `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  const large = await peer(t, port, 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  large.socket.pause()
  await settled(t, port)
  t.match(upgraded.received(), /^HTTP\/1\.1 101/)
  child.signal('SIGTERM')
  t.same(await child.exit(), { code: 0, signal: null }, 'they are cut before the grace is over')
})

t.test('R8: an answer under way says that the connection ends with it', async (t) => {
  const { child, port } = await serving(t)
  const { socket, received } = await peer(t, port, 'GET /slow HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n')
  await child.until(/slow began/)
  child.signal('SIGTERM')
  await once(socket, 'close')
  t.match(received(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*finished/i)
  t.same(await child.exit(), { code: 0, signal: null })
})

t.test('R8: busy clients that keep their connections are never reset', async (t) => {
  const { child, port } = await serving(t)
  const clients = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  t.teardown(() => {
    for (const agent of clients) agent.destroy()
  })
  let answered = 0
  const finished = Promise.all(
    clients.map(async (agent) => {
      for (;;) {
        const outcome = await ask(agent, port)
        if (outcome !== 200) return outcome
        answered += 1
        if (answered === 200) child.signal('SIGTERM')
      }
    })
  )
  t.same(new Set(await finished), new Set(['ECONNREFUSED']), 'each is answered until there is no port any more')
  t.same(await child.exit(), { code: 0, signal: null })
})

function ask(agent: Agent, port: number): Promise<unknown> {
  return new Promise((resolve) => {
    get({ agent, port, host: '127.0.0.1' }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
}
