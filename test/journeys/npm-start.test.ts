/**
 * `npm start`: the demonstration that it lays down and serves, what it says meanwhile, and P2: a signal to npm stops the
 * server behind it, with its drain and its exit.
 */
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { Running, repository, run, svc } from '../support/svc-command.ts'
import { until } from '../support/until.ts'
import { Demonstration } from './demonstration.ts'
import { PresetApp } from './preset-app.ts'

/** Whether nobody listens on the port any more. */
function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', () => resolve(true))
  })
}

/** Signals npm alone, and not what it started. */
async function signalled(t: Test, running: Running, port: number): Promise<void> {
  process.kill(running.pid, 'SIGTERM')
  await running.finished()
  t.ok(await until(async () => (await refuses(port)) || null, 'the end of the server'))
}

/** What a newcomer would take for a fault. */
const FAULT = /^\s*[▲✖]|\b(?:warn|error|fail|not registered)/im

/** Four lines, in this order, each with what it leads to. */
const FOUR_LINES =
  /^ {2}application +(\S+)\n {2}console +(\S+) {2}sign in as admin, password \w{24}\n {2}API reference +(\S+)\n {2}try next +cd \S+ && npx svc create entity /m

async function statusOfLogin(url: string, password: string): Promise<number> {
  const answer = await fetch(`${url}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password })
  })
  await answer.arrayBuffer()
  return answer.status
}

async function answers(t: Test, url: string): Promise<void> {
  t.match(await (await fetch(`${url}/api/hello`)).json(), { hello: 'world', who: 'anonymous' })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/echo`)
  await once(socket, 'open')
  socket.send('hi')
  const [event] = (await once(socket, 'message')) as [MessageEvent]
  t.equal(event.data, '{"echo":"hi"}')
  socket.close()
}

t.test('the demonstration: four lines, a second start, an occupied port', async (t) => {
  const demo = await Demonstration.prepare(t)
  // What the shell names is somebody else's.
  const first = demo.start([], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real', NODE_ENV: 'production' })
  const once = await demo.signIn(first)
  const [, ...pages] = await first.shows(FOUR_LINES)
  for (const page of pages) t.equal((await fetch(page, { headers: { accept: 'text/html' } })).status, 200, page)
  await answers(t, demo.url)
  t.notMatch(first.output, FAULT)
  t.equal(await statusOfLogin(demo.url, once.password), 200)
  await first.stop('SIGINT')

  const second = demo.start()
  const again = await demo.signIn(second)
  t.equal(again.name, once.name)
  t.equal(await statusOfLogin(demo.url, once.password), 401, 'a password is of one start')
  t.notMatch(second.output, FAULT)

  const third = await demo.start().finished()
  t.equal(third.code, 1)
  t.match(third.stderr, /SVC_PORT_BUSY[\s\S]*fix: stop it \(kill \d+\) or PORT=\d+/)
  t.notMatch(third.stdout, /ready|password/)
  t.equal(await statusOfLogin(demo.url, again.password), 200, 'the server that runs keeps its password')
})

t.test('npm start -- minimal: the small application, and what follows it', async (t) => {
  const demo = await Demonstration.prepare(t)
  const running = demo.start(['minimal', '--no-color'])
  await running.shows(/is ready at/)
  await answers(t, demo.url)
  t.notMatch(running.output, FAULT)
  t.notMatch(running.output, /password/)
  t.match(await readFile(join(demo.folder, 'svc.config.ts'), 'utf8'), /authenticators: \['anonymous'\]/)
})

t.test('a folder that an earlier version laid down is served as it is', async (t) => {
  const demo = await Demonstration.prepare(t)
  const created = await svc(['create', 'app', 'demo', '--dir', demo.folder], { cwd: repository })
  t.equal(created.code, 0, created.stderr)
  const running = demo.start()
  await running.shows(/is ready at/)
  await answers(t, demo.url)
  t.match(running.output, /is the small application of an earlier version[^\n]*\n {2}fix: [^\n]*rename or delete/)
})

t.test('a step that takes long says so', async (t) => {
  const script = `
    const { runQuietStep } = await import(${JSON.stringify(join(repository, '.config/run-step.mjs'))})
    const waits = ['-e', 'setTimeout(() => {}, 400)']
    await runQuietStep('installing', process.execPath, waits, { heartbeatMs: 50, progress: () => '3 of 9 packages' })
    await runQuietStep('compiling', process.execPath, ['-e', ''], { heartbeatMs: 60_000 })`
  const { code, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: repository })
  t.equal(code, 0, stderr)
  t.match(stderr, /^setup: installing\n(?:setup: {3}\d+ s so far, 3 of 9 packages\n)+setup: compiling\n$/)
})

t.test('P2: a created application', async (t) => {
  const app = await PresetApp.create(t, 'minimal')
  const config = join(app.folder, 'dist', 'svc.config.js')
  const text = await readFile(config, 'utf8')
  t.match(text, /server: \{/)
  await writeFile(config, text.replace(/server: \{/, 'server: { drainDelayMs: 200,'))
  const port = await freePort()
  const running = new Running('npm', ['start'], {
    cwd: app.folder,
    env: { PORT: String(port), NODE_ENV: 'production' }
  })
  t.teardown(() => running.stop('SIGKILL'))
  await running.shows(/Server listening at/)
  t.equal((await fetch(`http://127.0.0.1:${port}/api/hello`)).status, 200)
  await signalled(t, running, port)
  t.match(running.output, /answers requests for another 200 ms/, 'the signal came to the server, which drained')
})

t.test('P2: the repository itself hands signals on', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  t.match(scripts.start, /^exec node /)
})
