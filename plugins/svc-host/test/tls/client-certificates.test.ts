/**
 * H4: what https asks of clients, and renewal of the certificate: real handshakes with certificates made for the test.
 * In a process of its own: the library that makes them changes the global `Reflect`.
 */
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { generate } from 'selfsigned'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import { checkConfig } from '../../src/config/check-config.ts'
import type { HttpsConfig, SvcConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { RENEWAL_CHECK_MS } from '../../src/tls/renew-certificate.ts'
import { attachTls } from '../../src/tls/tls-listener.ts'

/** Time passes when the test says so; one timer at a time is all that is asked for. */
class StoppedClock {
  waiting: (() => void) | null = null

  now(): number {
    return 0
  }

  setTimeout(work: () => void, ms: number): unknown {
    t.equal(ms, RENEWAL_CHECK_MS)
    this.waiting = work
    return null
  }

  clearTimeout(): void {
    this.waiting = null
  }

  pass(): void {
    const work = this.waiting
    this.waiting = null
    work?.()
  }
}

interface Made {
  readonly key: string
  readonly cert: string
}

/** Self-signed: it is its own authority, for servers and clients. */
async function made(name: string): Promise<Made> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }
    ]
  })
  return { key, cert }
}

async function served(t: Test, https: HttpsConfig, files: Record<string, string>) {
  const folder = t.testdir({ 'package.json': '{"name":"shop"}', ...files })
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const config: SvcConfig = {
    mode: 'production',
    server: { logger: { level: 'info', stream }, https: { key: 'key.pem', cert: 'cert.pem', ...https } },
    modules: [
      async function routes(fastify: FastifyInstance) {
        fastify.get('/', async ({ raw }) => (raw.socket as TLSSocket).getPeerCertificate()?.subject?.CN ?? 'nobody')
      }
    ]
  }
  t.strictSame(checkConfig(config).problems, [])
  const app = application(config, `file://${folder}/a.js`)
  const clock = new StoppedClock()
  const fastify = await createServer(app)
  const tls = await attachTls(fastify, app, clock)
  t.teardown(async () => {
    const closed = fastify.close()
    tls.cut()
    await closed
  })
  await fastify.ready()
  const port = Number(new URL(await tls.listen({ host: '127.0.0.1', port: 0 })).port)
  return { folder, lines, clock, port }
}

/** Who the server says the client is; rejects as a handshake does. */
async function asked(port: number, options: ConnectionOptions): Promise<{ answer: string; server: string }> {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  await once(socket, 'secureConnect')
  const server = String(socket.getPeerCertificate().subject.CN)
  socket.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const part of socket.setEncoding('utf8')) text += part as string
  // By TLS 1.3 a client learns of a refusal only after its own part of the handshake.
  if (!text.startsWith('HTTP/1.1 200')) throw new Error('closed without an answer')
  return { answer: text.slice(text.lastIndexOf('\r\n\r\n') + 4), server }
}

const [server, renewed, ann, stranger] = await Promise.all(['server', 'renewed', 'ann', 'stranger'].map(made))
const files = { 'key.pem': server?.key ?? '', 'cert.pem': server?.cert ?? '', 'clients.pem': ann?.cert ?? '' }
const trust = { ca: server?.cert ?? '' }

t.test('H4: only clients with a certificate of the authorities are served', async (t) => {
  const { port } = await served(t, { requestCert: true, ca: 'clients.pem' }, files)
  t.equal((await asked(port, { ...trust, ...ann })).answer, 'ann')
  await t.rejects(asked(port, trust), 'without a certificate')
  await t.rejects(asked(port, { ...trust, ...stranger }), 'with that of another authority')
})

t.test('H4: with rejectUnauthorized off, the application decides', async (t) => {
  const https = { requestCert: true, ca: ['clients.pem'], rejectUnauthorized: false }
  const { port } = await served(t, https, files)
  t.equal((await asked(port, trust)).answer, 'nobody')
  t.equal((await asked(port, { ...trust, ...ann })).answer, 'ann')
})

t.test('H4: protocol versions and ciphers', async (t) => {
  const newest = await served(t, { minVersion: 'TLSv1.3' }, files)
  await t.rejects(asked(newest.port, { ...trust, maxVersion: 'TLSv1.2' }), { code: /PROTOCOL_VERSION/ })
  t.equal((await asked(newest.port, trust)).server, 'server')
  const chosen = await served(t, { ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }, files)
  const old = { ...trust, maxVersion: 'TLSv1.2' } as const
  await t.rejects(asked(chosen.port, { ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }))
  t.equal((await asked(chosen.port, { ...old, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' })).server, 'server')
})

t.test('H4: a renewed certificate is served without a restart, half of one is not', async (t) => {
  const { folder, lines, clock, port } = await served(t, { minVersion: 'TLSv1.3' }, files)
  const replace = (name: string, text: string): void => {
    writeFileSync(join(folder, 'next'), text)
    renameSync(join(folder, 'next'), join(folder, name))
  }
  const looked = async (): Promise<void> => {
    clock.pass()
    // The next look is planned as the last thing of one.
    while (clock.waiting === null) await new Promise((resolve) => setImmediate(resolve))
  }
  await looked()
  t.strictSame(
    lines.filter(({ level }) => Number(level) > 30),
    [],
    'files that did not change are no news'
  )
  replace('cert.pem', renewed?.cert ?? '')
  await looked()
  await looked()
  t.match(
    lines.filter(({ level }) => level === 50),
    [{ code: 'SVC_HTTPS_RENEWAL' }],
    'one line'
  )
  t.equal((await asked(port, trust)).server, 'server')
  replace('key.pem', renewed?.key ?? '')
  await looked()
  t.match(lines.at(-1), { level: 30, msg: /use the renewed certificate/, validTo: /GMT$/ })
  t.equal((await asked(port, { ca: renewed?.cert ?? '' })).server, 'renewed')
  await t.rejects(asked(port, { ca: renewed?.cert ?? '', maxVersion: 'TLSv1.2' }), 'the other settings stay')
})

t.test('H4: what is wrong is refused at boot', async (t) => {
  const problems = (https: object) =>
    checkConfig({ mode: 'production', server: { https: { key: 'k', cert: 'c', ...https } }, modules: [] } as SvcConfig)
      .problems
  for (const [https, expected] of [
    [{ requestCert: true }, { at: 'server.https.requestCert', code: 'SVC_HTTPS_CERTIFICATE' }],
    [{ ca: 'a' }, { at: 'server.https.requestCert', code: 'SVC_HTTPS_CERTIFICATE' }],
    [{ minVersion: 'TLSv1.1' }, { at: 'server.https.minVersion' }],
    [{ cipher: 'x' }, { at: 'server.https.cipher', message: /did you mean ciphers/ }]
  ] as const) {
    t.match(problems(https), [expected], JSON.stringify(https))
    t.equal(problems(https).length, 1)
  }
  await t.rejects(served(t, { ciphers: 'NO-SUCH-CIPHER' }, files), { code: 'SVC_HTTPS_CERTIFICATE' })
  const torn = { ...files, 'clients.pem': 'no certificate' }
  await t.rejects(served(t, { requestCert: true, ca: 'clients.pem' }, torn), { code: 'SVC_HTTPS_CERTIFICATE' })
})
