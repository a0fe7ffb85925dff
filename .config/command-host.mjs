/**
 * A process that runs `svc` commands one after another, each as if it had the process to itself: its own folder,
 * environment, input, output and exit code. Programs that each run once are taken too. Most of what either costs is
 * loading packages, which happens once here. The one argument is the path of the socket to listen on; standard output and
 * standard error are the files beside it.
 */
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { root } from './run-step.mjs'
import { spent } from './test-times.mjs'

const BIN = join(root, 'plugins/svc-cli/bin/svc.js')
const POLL_MS = 2
/** Who needs it no longer removes the socket. */
const ABANDONED_MS = 500
/** Another one begins with less. */
const FULL_BYTES = 700 * 2 ** 20
const EVENTS = [
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
  'warning',
  'SIGINT',
  'SIGTERM',
  'SIGHUP'
]

const [socket] = process.argv.slice(2)
const [{ run }, { renewRegistries }] = await Promise.all([
  import('../plugins/svc-cli/dist/src/index.js'),
  import('../plugins/svc-kernel/dist/src/plugin.js')
])
let busy = false
/** What is open while a command runs, apart from what the command opens: the socket, the timer, the connection. */
let idle
createServer(serve).listen(socket, () => {
  idle = [...process.getActiveResourcesInfo(), 'PipeWrap']
})
// Without last words, which would be written into a folder that is being removed.
setInterval(() => {
  if (!existsSync(socket)) process.kill(process.pid, 'SIGKILL')
}, ABANDONED_MS)
// The command may end the process: its exit code is what remains.
process.on('exit', (code) => writeFileSync(`${socket}.code`, String(code)))

function serve(connection) {
  connection.on('error', () => undefined)
  if (busy) return connection.destroy()
  busy = true
  let request = ''
  const givenUp = () => {
    // Without an exit code, which nobody would wait for.
    if (request !== '') process.kill(process.pid, 'SIGKILL')
    busy = false
  }
  connection.once('close', givenUp)
  connection.setEncoding('utf8').write('ready\n')
  connection.on('data', async (text) => {
    request += text
    if (!request.endsWith('\n')) return
    const code = await runOne(JSON.parse(request))
    connection.off('close', givenUp)
    busy = process.memoryUsage.rss() > FULL_BYTES
    if (busy) connection.once('close', () => process.exit())
    connection.end(JSON.stringify({ result: { code, ...takeOutput() }, seconds: takeSeconds() }))
  })
}

/** @returns the exit code, once nothing that the command began is left */
async function runOne({ script, args = [], cwd, env, stdin = '' }) {
  const listeners = new Map(EVENTS.map((event) => [event, new Set(process.listeners(event))]))
  process.chdir(cwd)
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true })
  process.argv = [process.execPath, script ?? BIN, ...args]
  replaceEnvironment(env)
  renewRegistries()
  if (script === undefined) await run(args)
  else await import(pathToFileURL(script).href)
  while (commandIsOpen()) await sleep(POLL_MS)
  for (const [event, before] of listeners) {
    for (const added of process.listeners(event).filter((listener) => !before.has(listener))) {
      if (event === 'beforeExit' || event === 'exit') added(process.exitCode ?? 0)
      process.off(event, added)
    }
  }
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return code
}

let counted = 0

/** Of processor time since the last call; children count when they have ended. */
function takeSeconds() {
  const [, own, children] = spent()
  const seconds = own + children - counted
  counted += seconds
  return seconds
}

/** Whether the command still has something open. A caller that the busy host refuses counts until the next look. */
function commandIsOpen() {
  const left = [...idle]
  return process.getActiveResourcesInfo().some((resource) => {
    const found = left.indexOf(resource)
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}

function replaceEnvironment(env) {
  for (const name of Object.keys(process.env)) {
    if (!(name in env)) delete process.env[name]
  }
  Object.assign(process.env, env)
}

function takeOutput() {
  const [stdout, stderr] = ['out', 'err'].map((name) => {
    const text = readFileSync(`${socket}.${name}`, 'utf8')
    truncateSync(`${socket}.${name}`)
    return text
  })
  return { stdout, stderr }
}
