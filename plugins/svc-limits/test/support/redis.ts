/** A real Redis server without persistence on 127.0.0.1, with a client that never waits for a connection. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'

export interface RedisServer {
  readonly client: Redis
  /** SIGSTOP makes it hang with its sockets open. */
  signal(name: NodeJS.Signals): void
}

/** Where the machine has no server, says so and counts as skipped. */
export async function onRedis(tests: (t: Test, server: RedisServer) => Promise<unknown>): Promise<void> {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    const reason = 'SKIPPED: redis-server is not installed; nothing here was tested on it'
    process.stderr.write(`\n  ${reason}\n\n`)
    await t.test('Redis', async (t) => t.plan(0, reason))
    return
  }
  await t.test('Redis', async (t) => tests(t, await startRedis(t)))
}

async function startRedis(t: Test): Promise<RedisServer> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of child.stdout) if (/ready to accept/i.test(String(line))) break
  const client = new Redis({
    host: '127.0.0.1',
    port,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true
  })
  client.on('error', () => undefined)
  await client.connect()
  t.teardown(async () => {
    client.disconnect()
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { client, signal: (name) => void child.kill(name) }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
