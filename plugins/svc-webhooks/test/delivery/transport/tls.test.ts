/** TLS: the name is what is asked for and verified, whatever address it is pinned to. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { defineConfig, httpsCertificate } from 'svc-host'
import t from 'tap'
import { HeldPromise } from '../../support/held-promise.ts'
import { DEADLINE_MS, deliveryTo, loopbackTransport } from '../../support/loopback-transport.ts'

const root = t.testdir({ 'package.json': '{}' })
const config = defineConfig({ server: { https: true }, modules: [] })
// For localhost and 127.0.0.1, and its own authority.
const { key, cert } = await httpsCertificate({ config, root })

interface Seen {
  readonly names: (string | null)[]
  readonly hosts: (string | undefined)[]
}

async function secureReceiver(): Promise<{ port: number; seen: Seen; close(): Promise<void> }> {
  const seen: Seen = { names: [], hosts: [] }
  const server = createServer({ key, cert }, (request, response) => {
    seen.hosts.push(request.headers.host)
    request.resume()
    request.once('end', () => response.end('secure'))
  })
  server.on('secureConnection', (socket) => seen.names.push(socket.servername || null))
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}

const secureDelivery = (port: number, host: string) => ({ ...deliveryTo(port), url: `https://${host}:${port}/in` })

t.test('SNI, Host and certificate keep the name; an address asks for no name', async (t) => {
  const receiver = await secureReceiver()
  const { port, seen } = receiver
  const { transport } = loopbackTransport({ ca: [cert] })
  for (const host of ['localhost', 'localhost', '127.0.0.1', 'localhost.']) {
    const result = await transport.send(secureDelivery(port, host), DEADLINE_MS)
    t.strictSame(result, { kind: 'answered', status: 200, responseBody: 'secure', durationMs: 0 }, host)
  }
  t.strictSame(seen.names, ['localhost', null, 'localhost'], 'the second delivery shared the first connection')
  t.strictSame(seen.hosts, [`localhost:${port}`, `localhost:${port}`, `127.0.0.1:${port}`, `localhost.:${port}`])
  await transport.close()
  await receiver.close()
})

t.test('a certificate for another name, or of an unknown authority, gets no message', async (t) => {
  const receiver = await secureReceiver()
  const trusting = loopbackTransport({ ca: [cert] }).transport
  const strict = loopbackTransport().transport
  const refused = { kind: 'failed', error: 'certificate refused' }
  t.match(await trusting.send(secureDelivery(receiver.port, 'hooks.example.com'), DEADLINE_MS), refused)
  t.match(await strict.send(secureDelivery(receiver.port, 'localhost'), DEADLINE_MS), refused)
  t.strictSame(receiver.seen.hosts, [])
  await trusting.close()
  await strict.close()
  await receiver.close()
})

t.test('the environment does not switch verification off', async (t) => {
  const receiver = await secureReceiver()
  const { transport } = loopbackTransport()
  t.intercept(process, 'env', { value: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  const result = await transport.send(secureDelivery(receiver.port, 'localhost'), DEADLINE_MS)
  t.match(result, { kind: 'failed', error: 'certificate refused' })
  await transport.close()
  await receiver.close()
})

t.test('a receiver that speaks no TLS', async (t) => {
  const hasty = createTcpServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 400 -\r\n\r\n')))
  hasty.listen(0, '127.0.0.1')
  await once(hasty, 'listening')
  const { transport } = loopbackTransport()
  const { port } = hasty.address() as AddressInfo
  t.match(await transport.send(secureDelivery(port, 'localhost'), DEADLINE_MS), {
    kind: 'failed',
    error: 'tls failure'
  })
  await transport.close()
  hasty.close()
})

t.test('a handshake that never ends is destroyed at the deadline, while it still connects', async (t) => {
  const hello = new HeldPromise<void>()
  const gone = new HeldPromise<void>()
  const server = createTcpServer((socket) => {
    socket.once('data', () => hello.resolve(undefined))
    socket.on('error', () => undefined).once('close', () => gone.resolve(undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { transport, clock } = loopbackTransport()
  const sending = transport.send(secureDelivery((server.address() as AddressInfo).port, 'localhost'), DEADLINE_MS)
  await hello.promise
  clock.advance(DEADLINE_MS)
  t.strictSame(await sending, { kind: 'failed', error: 'timeout', durationMs: DEADLINE_MS })
  await gone.promise
  await transport.close()
  server.close()
})
