/** An instance of an application, seen from a campaign: asked over HTTP, killed without last words, started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { bundledProgram } from '../support/bundled-program.ts'
import { plainCommand } from '../support/plain-command.ts'

const LAST_LINES = 20

/** What an instance says to its parent. */
export type InstanceNews = { readonly port: number } | { readonly done: string } | { readonly failed: string }

export interface InstanceAnswer extends Pick<Response, 'ok' | 'status' | 'headers'> {
  readonly body: Buffer
}

export class Instance<Order extends { readonly do: string } = never> {
  readonly #program: string
  readonly #settings: object
  #child: ChildProcess | null = null
  /** Ends that nobody asked for, each with the last lines that it wrote. */
  readonly crashes: string[] = []
  #port = 0

  /** @param program a file of JavaScript, which gets its settings as JSON in the first argument */
  constructor(program: string, settings: object) {
    this.#program = program
    this.#settings = settings
  }

  get running(): boolean {
    return this.#child !== null
  }

  /** Of its process; `undefined` while none runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const program = await bundledProgram(this.#program)
    const [file, args] = plainCommand(process.execPath, [program, JSON.stringify(this.#settings)])
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

  /** Posts nothing to a path. @returns whether it was acknowledged: answered 2xx */
  async post(path: string): Promise<boolean> {
    return (await this.ask(path, { method: 'POST' }))?.ok ?? false
  }

  /** @returns the whole answer; `null` where none came, or a part of one */
  async ask(path: string, init: RequestInit & { readonly duplex?: 'half' } = {}): Promise<InstanceAnswer | null> {
    if (this.#child === null) return null
    try {
      const signal = AbortSignal.timeout(30_000)
      const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, { ...init, signal })
      const { ok, status, headers } = answer
      return { ok, status, headers, body: Buffer.from(await answer.arrayBuffer()) }
    } catch {
      return null
    }
  }

  /** @returns what the instance answers */
  async order(order: Order): Promise<string> {
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
