/** An application as a process: it starts calmly, refuses clearly, and stops without cutting a request. */

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { definePlugin } from 'svc-kernel'
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import { listenTarget, type SvcConfig } from '../../src/config/define-config.ts'
import { banner, moduleNames } from '../../src/serve/start-banner.ts'
import { devCertificate } from '../../src/tls/dev-certificate.ts'
import { type ChildProcess, startChild } from '../child-process.ts'

const LISTENING = /http:\/\/127\.0\.0\.1:(\d+)/

async function serving(t: Test, config: object = {}): Promise<{ child: ChildProcess; url: string }> {
  const child = startChild(t, 'serving', JSON.stringify({ server: { port: 0 }, ...config }))
  const [url] = await child.until(LISTENING)
  return { child, url }
}

/** Asks and reads to the end of the connection; what was cut off is missing from the answer. */
async function ask(url: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(socket, 'close')
  return answer
}

t.test('production says once, as JSON, that it listens', async (t) => {
  const { child, url } = await serving(t)
  t.same(await (await fetch(url)).json(), { ok: true })
  const lines = child.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.equal(lines.filter(({ msg }) => /listening/.test(msg)).length, 1)
  t.notMatch(child.stdout, '●')
  t.equal(child.stderr, '')
})

t.test('development says it once, in the banner', async (t) => {
  const { child, url } = await serving(t, { mode: 'development', name: 'shop' })
  await child.until(/modules/)
  t.equal(child.stdout, `● shop is ready at ${url}  (development)\n  modules   routes\n`)
})

t.test('with https, both addresses are said once', async (t) => {
  const folder = t.testdir()
  await devCertificate(folder)
  const [key, cert] = ['key', 'crt'].map((part) => join(folder, '.svc', `dev-certificate.${part}.pem`))
  const server = { port: 0, https: { port: 0, key, cert } }
  const plain = startChild(t, 'serving', JSON.stringify({ server }))
  await plain.until(/listening at https:\/\/127\.0\.0\.1:\d+"/)
  t.same(plain.stdout.match(/listening at https?:/g), ['listening at http:', 'listening at https:'])
  const calm = startChild(t, 'serving', JSON.stringify({ mode: 'development', server }))
  await calm.until(/modules.*\n/)
  t.match(
    calm.stdout,
    /^● .* is ready at http:\/\/127\.0\.0\.1:\d+ and https:\/\/127\.0\.0\.1:\d+ .*\n {2}modules.*\n$/
  )
})

t.test('development shows a warning in its parts, and no line per request', async (t) => {
  const { child, url } = await serving(t, { mode: 'development' })
  await fetch(`${url}/warn`)
  await child.until(/do it/)
  t.match(child.stdout, '▲ SVC_X  a warning\n  fix: do it\n')
  t.notMatch(child.stdout, /incoming|completed/)
})

t.test('C4: development names the request, what failed in it, and the fields of the application', async (t) => {
  const { child, url } = await serving(t, { mode: 'development' })
  await fetch(`${url}/fails?token=abc`)
  await child.until(/no such order\n +at /)
  t.match(child.stdout, /info {2}paid {2}GET \/fails\?token=\*\*\* {2}reqId=\S+ {2}order=7\n/)
  t.match(child.stdout, /error the request failed {2}GET \/fails\?token=\*\*\* {2}reqId=\S+\n.*no such order/)
})

t.test('SIGTERM: the request in flight finishes, then the process ends with 0', async (t) => {
  const { child, url } = await serving(t)
  const answer = ask(url, '/slow')
  await child.until(/slow began/)
  child.signal('SIGTERM')
  t.match(await answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"slow":"finished"\}$/)
  t.same(await child.exit(), { code: 0, signal: null })
  t.match(child.stdout, /closing[\s\S]*closed/)
})

t.test('SIGINT ends an idle application with 0', async (t) => {
  const { child } = await serving(t)
  child.signal('SIGINT')
  t.same(await child.exit(), { code: 0, signal: null })
})

t.test('a second signal ends it at once', async (t) => {
  const { child, url } = await serving(t)
  const answer = ask(url, '/never')
  await child.until(/never began/)
  child.signal('SIGTERM')
  await child.until(/closing/)
  child.signal('SIGTERM')
  t.same(await child.exit(), { code: 1, signal: null })
  t.equal(await answer, '')
  t.notMatch(child.stdout, /closed\n/)
})

t.test('what does not finish within closeGraceMs is cut', async (t) => {
  const { child, url } = await serving(t, { server: { port: 0, closeGraceMs: 50 } })
  const answer = ask(url, '/never')
  await child.until(/never began/)
  child.signal('SIGTERM')
  t.same(await child.exit(), { code: 1, signal: null })
  t.equal(await answer, '')
  t.match(child.stdout, /killed by timeout \(50ms\)/)
})

t.test('an error nobody handles is logged and ends it with 1, closed', async (t) => {
  const { child, url } = await serving(t)
  await ask(url, '/crash')
  t.same(await child.exit(), { code: 1, signal: null })
  t.match(child.stdout, /"level":60[^\n]*nobody handles this/)
  t.match(child.stdout, /closed\n/)
})

t.test('a busy port: one message, both ways out, code 1, nothing started', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1')
  t.teardown(() => holder.close())
  await once(holder, 'listening')
  const { port } = holder.address() as { port: number }
  const child = startChild(t, 'serving', JSON.stringify({ server: { port } }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.equal(child.stderr.match(/✖/g)?.length, 1)
  t.match(child.stderr, `✖ SVC_PORT_BUSY  port ${port} on 127.0.0.1 is in use`)
  t.match(child.stderr, /fix: .* or PORT=\d+ npm start\n {2}more: npx svc docs SVC_PORT_BUSY\n$/)
  t.notMatch(child.stdout, /listening|ready/)
})

t.test('a host that is not of this machine', async (t) => {
  const child = startChild(t, 'serving', JSON.stringify({ server: { port: 0, host: '203.0.113.7' } }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.match(child.stderr, /^✖ SVC_HOST_UNKNOWN {2}203\.0\.113\.7 is not an address of this machine\n/)
})

t.test('a port that does not open for another reason: that reason, code 1, closed', async (t) => {
  const child = startChild(t, 'serving', JSON.stringify({ refusal: 'EMFILE' }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.match(child.stderr, /^✖ EMFILE {2}the port does not open\n/)
  t.match(child.stdout, /closed\n/)
})

t.test('a Node that is too old is named before anything else', async (t) => {
  const child = startChild(t, 'serving', JSON.stringify({ node: '22.9.0', mod: 'test', break: true }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.equal(
    child.stderr,
    '✖ SVC_NODE_VERSION  needs Node >= 24, running 22.9.0\n  got 22.9.0, expected >= 24\n  fix: install Node 24\n  more: npx svc docs SVC_NODE_VERSION\n'
  )
  t.equal(child.stdout, '')
})

t.test('a config that is wrong: all problems in five parts, code 1', async (t) => {
  const child = startChild(t, 'serving', JSON.stringify({ mod: 'test', server: { prot: 1 } }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.match(
    child.stderr,
    /^2 problems\n✖ SVC_KERNEL_OPTIONS {2}unknown key \(did you mean mode\?\)\n {2}at: mod\n {2}expected .*\n {2}fix: rename mod to mode\n {2}more: npx svc docs options\n✖/
  )
  t.notMatch(child.stderr, /\n\s+at .*:\d+:\d+/)
  t.equal(child.stdout, '')
})

t.test('a module that fails while it registers: its message, its place, code 1', async (t) => {
  const child = startChild(t, 'serving', JSON.stringify({ mode: 'development', break: true }))
  t.same(await child.exit(), { code: 1, signal: null })
  t.match(
    child.stderr,
    /^✖ SVC_BOOT_FAILED {2}no luck\n {2}at: .*fixtures\/serving\.js:\d+\n {2}fix: .*\n {2}more: npx svc docs SVC_BOOT_FAILED\n$/
  )
})

t.test('what an application says of itself', async (t) => {
  const plugin = definePlugin(async () => {}, { name: 'svc-a', optionsSchema: {} })
  const of = (config: SvcConfig) => application({ name: 'shop', ...config }, import.meta.url)
  t.same(listenTarget(of({ modules: [] })), { host: '127.0.0.1', port: 5151 })
  t.same(listenTarget(of({ server: { host: '::', port: 0 }, modules: [] })), { host: '::', port: 0 })
  const listed = of({ modules: [plugin, [async function routes() {}, { x: 1 }]] })
  t.same(moduleNames(listed), ['svc-a', 'routes'])
  t.match(banner(listed, 'http://a', 1), /shop is ready at http:\/\/a {2}\(production\)\n.*svc-a, routes\n.*1, above/)
})
