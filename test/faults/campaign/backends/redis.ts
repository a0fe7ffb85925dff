/** Two instances that meet over a Redis server, which stops and is killed; their storage is never away. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../support/ports.ts'
import type { Absent, Backend } from './backend.ts'
import { ServerProcess } from './server-process.ts'

const PROGRAMS = ['redis-server', 'valkey-server']

export async function redis(): Promise<Backend | Absent> {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).status === 0)
  if (program === undefined) return { name: 'redis', absent: 'no Redis or Valkey server is installed' }
  const folder = mkdtempSync(join(tmpdir(), 'svc-campaign-redis-'))
  const port = await freePort()
  // What it has acknowledged outlives it: deliveries that wait there ask for that.
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'yes', appendfsync: 'always', dir: folder }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = new ServerProcess(() => spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }), accepting)
  await server.start()
  return {
    name: 'redis',
    storage: `sqlite:${join(folder, 'shop.db')}`,
    redis: `redis://127.0.0.1:${port}`,
    faults: [
      { name: 'the server stops', readable: true, strike: () => server.end('SIGTERM'), mend: () => server.start() },
      { name: 'the server is killed', readable: true, strike: () => server.end('SIGKILL'), mend: () => server.start() },
      {
        name: 'the server hangs',
        readable: true,
        strike: () => server.signal('SIGSTOP'),
        mend: () => server.signal('SIGCONT')
      }
    ],
    missing: [],
    async close() {
      await server.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function accepting({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) return
  for await (const line of createInterface({ input: stdout })) if (/ready to accept/i.test(line)) break
  stdout.resume()
}
