/** A real Redis server without persistence on a socket of its own, and clients of it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import type { Test } from 'tap'

const PROGRAMS = ['redis-server', 'valkey-server']

/** The first server program that this machine has. */
export const redisProgram: string | null =
  PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0) ?? null

export interface RedisServer {
  /** Path of its socket. */
  readonly path: string
  connect(): Redis
  stop(): Promise<void>
  /** Again, empty, on the same socket. */
  start(): Promise<void>
}

export async function startRedis(t: Test, program: string): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const path = join(folder, 'redis.sock')
  const settings = {
    port: 0,
    unixsocket: path,
    save: '',
    appendonly: 'no',
    dir: folder
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const launch = async () => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface({ input: child.stdout })) if (/ready to accept/i.test(line)) break
    child.stdout.resume()
    return child
  }
  let child = await launch()
  const clients: Redis[] = []
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t.teardown(async () => {
    for (const client of clients) client.disconnect()
    await stop()
    rmSync(folder, { recursive: true })
  })
  const connect = () => {
    const client = new Redis({
      path,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: true
    })
    client.on('error', () => undefined)
    clients.push(client)
    return client
  }
  const start = async () => {
    child = await launch()
  }
  return { path, connect, stop, start }
}
