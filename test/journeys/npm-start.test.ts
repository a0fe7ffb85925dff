/** P2: `npm start` as a supervisor runs it: a signal to npm stops the server behind it, with its drain and its exit. */
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { Running, repository } from '../support/svc-command.ts'
import { until } from '../support/until.ts'
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
