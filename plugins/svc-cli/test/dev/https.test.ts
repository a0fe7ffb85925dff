/** `server.https` as a person uses it: `svc dev` makes the certificate, `svc start` asks for one. */
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { createdApp, edit, sandbox, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))
const READY = /is ready at (http:\/\/127\.0\.0\.1:\d+) and (https:\/\/127\.0\.0\.1:\d+) {2}\(development\)/

async function secureApp(t: Test, port: number): Promise<string> {
  const root = await createdApp(t)
  await edit(root, 'svc.config.ts', ['port: env.PORT }', `port: env.PORT, https: { port: ${port} } }`])
  return root
}

async function asked(url: string, ca: string): Promise<unknown> {
  const [response] = (await once(get(url, { ca }), 'response')) as [IncomingMessage]
  return json(response)
}

/** @returns the open socket, or the status of the refusal */
async function opened(url: string, origin: string, ca: string): Promise<WebSocket | number> {
  const socket = new WebSocket(url.replace('http', 'ws'), { ca, origin })
  const refused = once(socket, 'unexpected-response').then(([, response]) => {
    socket.on('error', () => undefined).terminate()
    return (response as IncomingMessage).statusCode ?? 0
  })
  return Promise.race([refused, once(socket, 'open').then(() => socket)])
}

t.test('svc dev serves both ports, over a reload and to the end', async (t) => {
  const root = await secureApp(t, 0)
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const [, plain = '', url = ''] = await server.says(READY)
  const ca = readFileSync(join(root, '.svc/dev-certificate.crt.pem'), 'utf8')
  t.match(await asked(`${url}/api/hello`, ca), { hello: 'world', pid: server.pid })
  t.match(await (await fetch(`${plain}/api/hello`)).json(), { hello: 'world' })

  t.equal(await opened(`${url}/api/echo`, url.replace('https', 'http'), ca), 403, 'the same host, another scheme')
  const socket = (await opened(`${url}/api/echo`, url, ca)) as WebSocket
  socket.send('hi')
  const [frame] = await once(socket, 'message')
  t.strictSame(JSON.parse(String(frame)), { echo: 'hi' })

  const closed = once(socket, 'close')
  await edit(root, 'controllers/hello.ts', ["hello: 'world'", "hello: 'moon'"])
  await server.says(/● reloaded/)
  t.equal((await closed)[0], 1012)
  t.match(await asked(`${url}/api/hello`, ca), { hello: 'moon' })

  await edit(root, 'svc.config.ts', ['https: { port: 0 }', 'https: { port: 1 }'])
  await server.says(/▲ SVC_DEV_ADDRESS .*the address is now 127\.0\.0\.1:0 and 127\.0\.0\.1:1,/)
  t.match(await asked(`${url}/api/hello`, ca), { hello: 'moon' })
  t.equal(await server.stop('SIGINT'), 0)
})

t.test('a busy port is named with its key', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1')
  t.teardown(() => holder.close())
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const { code, stderr } = await runSvc(['dev'], { cwd: await secureApp(t, port), env: { PORT: '0' } })
  t.equal(code, 1)
  t.match(stderr, new RegExp(`✖ SVC_PORT_BUSY .*port ${port} on 127\\.0\\.0\\.1 is in use`))
  t.match(stderr, `at: server.https.port (127.0.0.1:${port})`)
  t.match(stderr, / or set server\.https\.port to \d+/)
})

async function builtApp(t: Test, server: object): Promise<string> {
  const root = sandbox(t)
  symlinkSync(MODULES, join(root, 'node_modules'))
  await write(root, 'package.json', '{"name":"shop","type":"module"}')
  await write(root, 'svc.config.ts', '')
  await write(
    root,
    'dist/app.js',
    `import { application, defineConfig } from 'svc-host'
     const hello = async (fastify) => { fastify.get('/', async ({ protocol }) => ({ protocol })) }
     export default application(defineConfig({ server: ${JSON.stringify(server)}, modules: [hello] }), import.meta.url)`
  )
  return root
}

t.test('svc start refuses without a certificate, and makes none', async (t) => {
  const root = await builtApp(t, { port: 0, https: true })
  const { code, stderr } = await runSvc(['start'], { cwd: root })
  t.equal(code, 1)
  t.match(stderr, '✖ SVC_HTTPS_CERTIFICATE  https in production needs a key and a certificate')
  t.match(stderr, "fix: https: { key: 'tls/key.pem', cert: 'tls/cert.pem' }")
  t.throws(() => readFileSync(join(root, '.svc/dev-certificate.crt.pem')), { code: 'ENOENT' })
})

t.test('svc start serves with its own certificate, or says what is wrong with it', async (t) => {
  const cwd = await secureApp(t, 0)
  const maker = new SvcProcess(t, ['dev'], { cwd, env: { PORT: '0' } })
  await maker.says(READY)
  const [key, cert] = ['key', 'crt'].map((kind) => readFileSync(join(cwd, `.svc/dev-certificate.${kind}.pem`), 'utf8'))
  await maker.stop()

  const root = await builtApp(t, { port: 0, https: { port: 0, key: 'tls/key.pem', cert: 'tls/cert.pem' } })
  await write(root, 'tls/key.pem', key ?? '')
  await write(root, 'tls/cert.pem', 'no certificate')
  const broken = await runSvc(['start'], { cwd: root })
  t.equal(broken.code, 1)
  t.match(broken.stderr, '✖ SVC_HTTPS_CERTIFICATE  key and certificate cannot be used for TLS: ')

  await write(root, 'tls/cert.pem', cert ?? '')
  const server = new SvcProcess(t, ['start'], { cwd: root })
  const [, url = ''] = await server.says(/Server listening at (https:\/\/127\.0\.0\.1:\d+)/)
  t.strictSame(await asked(url, cert ?? ''), { protocol: 'https' })
  t.equal(await server.stop(), 0)
})
