/**
 * What is not used is not loaded: the packages that the created application loads until it answers, and those that the
 * command loads to say how it is used. Each one more makes every start longer.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, repository, run, svcBin } from '../support/svc-command.ts'
import { PresetApp } from './preset-app.ts'

const NOTE = join(repository, 'test/dist/support/note-loads.js')

/** Our packages, and those of others that Fastify does not load itself, with what they bring. */
const MINIMAL = {
  ours: ['svc-cli', 'svc-decorators', 'svc-host', 'svc-kernel', 'svc-security', 'svc-stores'],
  command: ['commander'],
  kernel: ['fastify-plugin'],
  // The created application has a WebSocket route: these are @fastify/websocket and what it brings.
  sockets:
    '@fastify/websocket duplexify end-of-stream inherits once readable-stream stream-shift util-deprecate wrappy ws'
}

function packagesIn(file: string): string[] {
  const names = urlsIn(file).map((url) => /.*\/(?:node_modules|plugins)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}

function urlsIn(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}

t.test('the created application', async (t) => {
  const folder = await temporaryFolder(t)
  const [alone, together] = [join(folder, 'fastify.txt'), join(folder, 'application.txt')]
  const program = "import('fastify').then(({ fastify }) => fastify({ logger: true }).get('/', () => 'ok').inject('/'))"
  const env = { NOTE_LOADS: alone }
  const raw = await run(process.execPath, ['--import', NOTE, '-e', program], { cwd: repository, env })
  t.equal(raw.code, 0, raw.stderr)

  const app = await PresetApp.create(t, 'minimal')
  const port = String(await freePort())
  const running = new Running(process.execPath, ['--import', NOTE, svcBin, 'start'], {
    cwd: app.folder,
    env: { PORT: port, NOTE_LOADS: together }
  })
  t.teardown(() => running.stop('SIGKILL'))
  await running.shows(/Server listening at/)
  t.equal((await fetch(`http://127.0.0.1:${port}/api/hello`)).status, 200)
  const measure = new Set(packagesIn(alone))
  t.strictSame(
    packagesIn(together).filter((name) => !measure.has(name)),
    Object.values(MINIMAL)
      .flatMap((names) => (typeof names === 'string' ? names.split(' ') : names))
      .sort()
  )
})

for (const flag of ['--help', '--version']) {
  t.test(`svc ${flag}`, async (t) => {
    const folder = await temporaryFolder(t)
    const env = { NOTE_LOADS: join(folder, 'loads.txt') }
    const { code } = await run(process.execPath, ['--import', NOTE, svcBin, flag], { cwd: folder, env })
    t.equal(code, 0)
    t.strictSame(packagesIn(env.NOTE_LOADS), ['commander', 'svc-cli'])
    const { length } = urlsIn(env.NOTE_LOADS)
    t.ok(length <= 20, `${length} files`)
  })
}
