/** A real Redis or Valkey server on a free port, without persistence; `null` where the machine has none. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'

const PROGRAMS = ['redis-server', 'valkey-server']

/** The first server program that this machine has. */
export const redisProgram: string | null =
  PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0) ?? null

export class RedisProcess {
  readonly port: number
  readonly #program: string
  #child: ChildProcess | null = null

  private constructor(program: string, port: number) {
    this.#program = program
    this.port = port
  }

  static async start(t: Test, program: string): Promise<RedisProcess> {
    const server = new RedisProcess(program, await freePort())
    t.teardown(() => server.stop())
    await server.start()
    return server
  }

  get url(): string {
    return `redis://:secret@127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const settings = { port: this.port, bind: '127.0.0.1', save: '', appendonly: 'no', requirepass: 'secret' }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
    const child = spawn(this.#program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child = child
    for await (const line of createInterface({ input: child.stdout })) if (/ready to accept/i.test(line)) break
    child.stdout.resume()
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null) return
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
