/** Who holds a port, read from a real process that does. */
import { existsSync } from 'node:fs'
import t from 'tap'
import { portHolder } from '../../src/serve/listen-problem.ts'
import { startChild } from '../child-process.ts'

const told = existsSync('/proc/net/tcp')

t.test('a listening process is found with its program, start and folder', async (t) => {
  const before = Date.now()
  const child = startChild(t, 'holder')
  const port = Number((await child.until(/on (\d+)/))[1])
  const holder = await portHolder(port)
  if (!told) {
    t.equal(holder, null, 'this system does not tell')
    return
  }
  t.match(holder, { pid: child.pid, program: 'node', folder: process.cwd() })
  // The system counts in hundredths of a second, since a start it rounds.
  const startedAt = holder?.startedAt ?? 0
  t.ok(startedAt > before - 2000 && startedAt < Date.now() + 2000, `started ${startedAt - before} ms after`)
})

t.test('a port nobody listens on', async (t) => {
  const child = startChild(t, 'holder')
  const port = Number((await child.until(/on (\d+)/))[1])
  child.signal('SIGKILL')
  await child.exit()
  t.equal(await portHolder(port), null)
})
