/** The process of delivery-app.ts, seen from the campaign: rung over HTTP, killed without last words, started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { plainCommand } from '../../support/plain-command.ts'
import type { InstanceNews, InstanceOrder, InstanceSettings } from './delivery-app.ts'

const LAST_LINES = 20
const PROGRAM = fileURLToPath(new URL('./delivery-app.js', import.meta.url))

export class Instance {
  readonly #settings: InstanceSettings
  #child: ChildProcess | null = null
  /** Ends that nobody asked for, each with the last lines that it wrote. */
  readonly crashes: string[] = []
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
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const last: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream as Readable }).on('line', (line) => {
        last.push(line)
        if (last.length > LAST_LINES) last.shift()
      })
    }
    const gone = once(child, 'close').then(([code, signal]) => {
      if (this.#child !== child) return
      this.#child = null
      this.crashes.push(`ended with ${code ?? signal}: ${last.join('\n')}`)
    })
    const early = gone.then(() => {
      throw new Error(`an instance ended before it listened: ${last.join('\n')}`)
    })
    const [news] = (await Promise.race([once(child, 'message'), early])) as [InstanceNews]
    early.catch(() => undefined)
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
    const child = this.#child
    if (child === null) throw new Error(`the instance does not run: ${this.crashes.join('; ')}`)
    const gone = new AbortController()
    const ended = () => gone.abort()
    child.once('exit', ended)
    const answered = once(child, 'message', gone) as Promise<[InstanceNews]>
    child.send(order)
    const [news] = await answered
    child.off('exit', ended)
    if ('done' in news) return news.done
    throw new Error(`an instance could not ${order.do}: ${'failed' in news ? news.failed : 'it started anew'}`)
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
