/** `svc dev` as a person uses it: one process, one port, edits to files. */
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createdApp, edit, emptyApp, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

async function json(url: string): Promise<unknown> {
  return (await fetch(url)).json()
}

async function connected(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'))
  await once(socket, 'open')
  return socket
}

async function echo(socket: WebSocket, text: string): Promise<unknown> {
  socket.send(text)
  const [event] = await once(socket, 'message')
  return JSON.parse((event as MessageEvent).data)
}

t.test('boot, edit, break, mend, stop', async (t) => {
  const root = await createdApp(t)
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const url = await server.address()
  await server.says(/\(development\)\n {2}modules {3}svc-security, svc-decorators/)
  t.match(await json(`${url}/api/hello`), { hello: 'world', pid: server.pid, who: 'anonymous' })
  const first = await connected(`${url}/api/echo`)
  t.strictSame(await echo(first, 'hi'), { echo: 'hi' })

  await t.test('an edit is served, and WebSockets of the old code are told to come again', async (t) => {
    const closed = once(first, 'close')
    await edit(
      root,
      'controllers/hello.ts',
      ["hello: 'world'", "hello: 'moon'"],
      ['echo: text', 'echo: text.toUpperCase()']
    )
    await server.says(/● reloaded in \d+ ms: controllers\/hello\.ts/)
    t.match(await json(`${url}/api/hello`), { hello: 'moon', pid: server.pid })
    const [event] = await closed
    t.equal((event as CloseEvent).code, 1012)
    const second = await connected(`${url}/api/echo`)
    t.strictSame(await echo(second, 'hi'), { echo: 'HI' })
    second.close()
  })

  await t.test('a file added, a file removed', async (t) => {
    const created = await runSvc(['create', 'controller', 'ping'], { cwd: root })
    t.equal(created.code, 0)
    await server.says(/● reloaded in \d+ ms: .*controllers\/ping\.ts/)
    t.strictSame(await json(`${url}/api/ping`), { pong: true, app: 'shop' })
    await rm(join(root, 'controllers/ping.ts'))
    await server.says(/● reloaded in \d+ ms: .*controllers\/ping\.ts/)
    // One edit may come in two events, and the line that was waited for be of the first.
    const answered = async () => (await fetch(`${url}/api/ping`)).status
    for (let look = 0; look < 600 && (await answered()) !== 404; look += 1) await delay(100)
    t.equal(await answered(), 404)
  })

  await t.test('what does not compile: its line is shown, the old code serves, the mend is taken over', async (t) => {
    await edit(root, 'controllers/hello.ts', ["hello: 'moon'", "hello: 'moon' }}"])
    await server.says(/✖ SVC_SOURCE_SYNTAX {2}the file does not compile: .*\n {2}at: controllers\/hello\.ts:9/)
    // The second event of the file removed before may come with it.
    await server.says(
      /▲ not reloaded \((?:controllers\/ping\.ts, )?controllers\/hello\.ts(?:, controllers\/ping\.ts)?\); the code before it keeps serving/
    )
    t.match(await json(`${url}/api/hello`), { hello: 'moon' })
    await edit(root, 'controllers/hello.ts', ["'moon' }}", "'sun'"])
    await server.says(/● reloaded/)
    t.match(await json(`${url}/api/hello`), { hello: 'sun' })
  })

  await t.test('a controller that throws on load, an import of nothing, a contradiction', async (t) => {
    await write(root, 'controllers/bad.ts', '\n\nthrow new Error("boom")\n')
    await server.says(
      /✖ SVC_CONTROLLER_FAILED {2}controllers\/bad\.ts failed to load: Error: boom\n {2}at: controllers\/bad\.ts:3/
    )
    await write(root, 'controllers/bad.ts', "import './nothing.ts'\n")
    await server.says(/✖ SVC_SOURCE_MISSING .*nothing\.ts\n {2}at: controllers\/bad\.ts/)
    t.match(await json(`${url}/api/hello`), { hello: 'sun' })
    await write(root, 'controllers/nothing.ts', 'export {}\n')
    await server.says(/SVC_CONTROLLER_NOT_LOADED/)
    await rm(join(root, 'controllers/bad.ts'))
    await rm(join(root, 'controllers/nothing.ts'))
    await server.says(/● reloaded/)
    t.equal((await fetch(`${url}/api/hello`)).status, 200)
  })

  await t.test('a mistake in the configuration', async () => {
    await edit(root, 'svc.config.ts', ['pattern:', 'patern:'])
    await server.says(/unknown key \(did you mean pattern\?\)\n {2}at: svc\.config\.ts:\d+/)
    await edit(root, 'svc.config.ts', ['patern:', 'pattern:'])
    await server.says(/● reloaded/)
  })

  t.equal(await server.stop('SIGINT'), 0)
  t.match(server.output, /stopping\n$/)
  t.notMatch(server.output, /unhandled error; in production/)
})

t.test('.env is read anew, and a new address asks for a restart', async (t) => {
  const root = await createdApp(t)
  await write(root, '.env', 'PORT=0\nGREETING=one\n')
  await edit(root, 'controllers/home.ts', ["'It works. Next: GET /api/hello'", 'process.env.GREETING ?? null'])
  const server = new SvcProcess(t, ['dev'], { cwd: root })
  const url = await server.address()
  t.strictSame(await json(url), { message: 'one' })
  await write(root, '.env', 'PORT=0\nGREETING=two\n')
  await server.says(/● reloaded in \d+ ms: .*\.env/)
  t.strictSame(await json(url), { message: 'two' })
  await write(root, '.env', 'PORT=1\n')
  await server.says(/▲ SVC_DEV_ADDRESS .*the address is now 127\.0\.0\.1:1/)
  t.strictSame(await json(url), { message: null }, 'what is gone from .env is gone; the port is the old one')
  t.equal(await server.stop(), 0)
})

/** A controller whose `/slow` answers only once `/slow/open` was asked; the gate outlives a reload. */
const slow = (answer: string) => `
  import { controller, Get } from 'svc-decorators'
  @controller('/slow')
  export class SlowController {
    @Get('/')
    async answer () {
      await (globalThis as { gate?: Promise<void> }).gate
      return { answer: '${answer}' }
    }
    @Get('/open')
    open () {
      ;(globalThis as { release?: () => void }).release?.()
      return {}
    }
    @Get('/close')
    close () {
      const { promise, resolve } = Promise.withResolvers<void>()
      Object.assign(globalThis, { gate: promise, release: resolve })
      return {}
    }
  }`

t.test('a request that has begun is finished by the code it began with', async (t) => {
  const root = await createdApp(t)
  await write(root, 'controllers/slow.ts', slow('old'))
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const url = await server.address()
  await json(`${url}/slow/close`)
  const begun = json(`${url}/slow`)
  await json(`${url}/api/hello`)
  await write(root, 'controllers/slow.ts', slow('new'))
  await server.says(/● reloaded/)
  await json(`${url}/slow/open`)
  t.strictSame(await begun, { answer: 'old' })
  t.strictSame(await json(`${url}/slow`), { answer: 'new' })
  t.equal(await server.stop(), 0)
})

t.test('a stop waits for a request that runs; a second signal does not', async (t) => {
  const root = await createdApp(t)
  await write(root, 'controllers/slow.ts', slow('done'))
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const url = await server.address()
  const socket = await connected(`${url}/api/echo`)
  const closed = once(socket, 'close')
  await json(`${url}/slow/close`)
  const begun = fetch(`${url}/slow`)
  const cut = t.rejects(begun)
  await json(`${url}/api/hello`)
  server.signal('SIGINT')
  await server.says(/stopping: 1 request still running \(Ctrl-C again ends at once\)/)
  const [event] = await closed
  t.equal((event as CloseEvent).code, 1001)
  await t.rejects(fetch(`${url}/api/hello`), 'nothing more is admitted')
  t.equal(await server.stop('SIGINT'), 1)
  await cut
})

t.test('types are checked beside it', async (t) => {
  const root = await createdApp(t)
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const url = await server.address()
  await edit(root, 'controllers/home.ts', ['return { message:', 'const n: number = "text"; return { n, message:'])
  await server.says(/● reloaded/)
  await server.says(/▲ TS2322 {2}Type 'string' is not assignable.*\n {2}at: controllers\/home\.ts:8:/)
  t.match(await json(url), { n: 'text' }, 'a type error does not stop the code')
  await edit(root, 'controllers/home.ts', ['const n: number = "text"', 'const n: number = 1'])
  await server.says(/● types are right again/)
  t.equal(await server.stop(), 0)
})

t.test('an unhandled error is shown, and the port stays open', async (t) => {
  const root = await createdApp(t)
  await edit(root, 'controllers/home.ts', ['return {', "setImmediate(() => { throw new Error('late') }); return {"])
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const url = await server.address()
  await json(url)
  await server.says(/✖ unhandled error; in production it ends the process\nError: late\n\s+at .*home\.ts:8/)
  t.match(await json(`${url}/api/hello`), { hello: 'world' })
  t.equal(await server.stop(), 0)
})

t.test('a first boot that fails ends with code 1 and every problem', async (t) => {
  const root = await createdApp(t)
  await edit(root, 'svc.config.ts', ['pattern:', 'patern:'])
  await edit(root, 'svc.config.ts', ["dir: './controllers'", "dirr: './controllers'"])
  const { code, stderr, stdout } = await runSvc(['dev'], { cwd: root, env: { PORT: '0' } })
  t.equal(code, 1)
  t.match(stderr, /svc-security\.areas\.api\.patern/)
  t.match(stderr, /svc-decorators\.dirr/)
  t.notMatch(stdout, /ready at/)
})

t.test('a busy port: one problem, no banner, code 1', async (t) => {
  const root = await createdApp(t)
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  const { port } = new URL(await server.address())
  const { code, stdout, stderr } = await runSvc(['dev'], { cwd: root, env: { PORT: port } })
  t.equal(code, 1)
  t.match(stderr, new RegExp(`✖ SVC_PORT_BUSY {2}port ${port} on 127\\.0\\.0\\.1 is in use`))
  t.match(stderr, /fix: .*PORT=\d+ npm run dev/)
  t.notMatch(stdout, /ready at/)
  t.equal(await server.stop(), 0)
})

t.test('an application without its packages', async (t) => {
  const { code, stderr } = await runSvc(['dev'], { cwd: emptyApp(t) })
  t.equal(code, 1)
  t.match(stderr, /SVC_NOT_INSTALLED {2}\S+ is not installed/)
})

t.test('an edit while the application starts is taken over when it serves', async (t) => {
  const root = await createdApp(t)
  const wait = "while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 5))"
  const loads = `import { existsSync } from 'node:fs'\nconsole.log('it loads')\n${wait}\nimport`
  await edit(root, 'controllers/home.ts', ['import', loads])
  const server = new SvcProcess(t, ['dev'], { cwd: root, env: { PORT: '0' } })
  await server.says(/it loads/)
  await edit(root, 'controllers/hello.ts', ["hello: 'world'", "hello: 'moon'"])
  await write(root, 'go', '')
  const url = await server.address()
  const hello = async () => ((await json(`${url}/api/hello`)) as { hello: string }).hello
  for (let look = 0; look < 600 && (await hello()) !== 'moon'; look += 1) await delay(100)
  t.equal(await hello(), 'moon')
  t.equal(await server.stop(), 0)
})
