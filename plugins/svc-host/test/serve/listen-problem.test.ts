/** Why a server cannot listen, and the ways out. */

import { existsSync } from 'node:fs'
import type { Problem } from 'svc-kernel'
import t from 'tap'
import { listenProblem } from '../../src/serve/listen-problem.ts'
import { startChild } from '../child-process.ts'

const failing = (code: string): Error => Object.assign(new Error(code), { code })

/** Port 1 of the loopback is held by nobody here. */
const rows: ReadonlyArray<[title: string, error: unknown, port: number, problem: Partial<Problem> | null]> = [
  [
    'busy, holder unknown',
    failing('EADDRINUSE'),
    1,
    {
      code: 'SVC_PORT_BUSY',
      message: 'port 1 on 127.0.0.1 is in use',
      fix: 'stop the other server or PORT=11 npm run dev'
    }
  ],
  [
    'busy, at the end of the range',
    failing('EADDRINUSE'),
    65530,
    { code: 'SVC_PORT_BUSY', fix: 'stop the other server or PORT=65520 npm run dev' }
  ],
  [
    'forbidden',
    failing('EACCES'),
    80,
    { code: 'SVC_PORT_FORBIDDEN', message: 'this user may not open port 80', fix: 'PORT=5151 npm run dev' }
  ],
  [
    'not an address of this machine',
    failing('EADDRNOTAVAIL'),
    1,
    { code: 'SVC_HOST_UNKNOWN', at: 'server.host', fix: 'HOST=127.0.0.1 npm run dev' }
  ],
  ['a name nobody knows', failing('ENOTFOUND'), 1, { code: 'SVC_HOST_UNKNOWN' }],
  ['another failure', failing('EMFILE'), 1, null],
  ['no code', new Error('x'), 1, null],
  ['undefined', undefined, 1, null]
]

for (const [title, error, port, problem] of rows) {
  t.test(title, async (t) => {
    const found = await listenProblem(error, { host: '127.0.0.1', port }, 'npm run dev')
    if (problem === null) t.equal(found, null)
    else t.hasStrict(found, problem)
  })
}

t.test('a busy port of another key of the config has no variable: the key is named', async (t) => {
  const target = { host: '127.0.0.1', port: 1, setting: 'server.https' }
  t.hasStrict(await listenProblem(failing('EADDRINUSE'), target, 'npm start'), {
    at: 'server.https.port (127.0.0.1:1)',
    fix: 'stop the other server or set server.https.port to 11'
  })
})

t.test('busy: who holds the port, where the system tells', async (t) => {
  const child = startChild(t, 'holder')
  const port = Number((await child.until(/on (\d+)/))[1])
  const problem = await listenProblem(failing('EADDRINUSE'), { host: '127.0.0.1', port }, 'npm start')
  const told = existsSync('/proc/net/tcp')
  const holder = told ? ` by pid ${child.pid} (node, started just now from ${process.cwd()})` : ''
  t.equal(problem?.message, `port ${port} on 127.0.0.1 is in use${holder}`)
  t.match(problem?.fix, `${told ? `stop it (kill ${child.pid})` : 'stop the other server'} or PORT=`)
})
