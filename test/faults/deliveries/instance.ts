/** The process of delivery-app.ts, seen from the campaign: rung over HTTP, killed without last words, started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { plainCommand } from '../../support/plain-command.ts'
import type { InstanceNews, InstanceOrder, InstanceSettings } from './delivery-app.ts'

const PROGRAM = fileURLToPath(new URL('./delivery-app.js', import.meta.url))

export class Instance {
  readonly #settings: InstanceSettings
  #child: ChildProcess | null = null
  #port = 0

  constructor(settings: InstanceSettings) {
    this.#settings = settings
  }

  get running(): boolean {
    return this.#child !== null
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const [file, args] = plainCommand(process.execPath, [PROGRAM, JSON.stringify(this.#settings)])
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const gone = once(child, 'exit').then(([code]) => {
      throw new Error(`an instance ended with ${code} before it listened`)
    })
    const [news] = (await Promise.race([once(child, 'message'), gone])) as [InstanceNews]
    gone.catch(() => undefined)
    this.#port = 'port' in news ? news.port : 0
    this.#child = child
  }

  /** @returns whether the event was acknowledged: answered 2xx */
  async ring(name: string): Promise<boolean> {
    if (this.#child === null) return false
    try {
      const signal = AbortSignal.timeout(30_000)
      const answer = await fetch(`http://127.0.0.1:${this.#port}/ring/${name}`, { method: 'POST', signal })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }

  /** @returns the id of the endpoint */
  async order(order: InstanceOrder): Promise<string> {
    const child = this.#child as ChildProcess
    const answered = once(child, 'message') as Promise<[{ done: string }]>
    child.send(order)
    const [{ done }] = await answered
    return done
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === null) return
    this.#child = null
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
}
