/** A server that is a child of this process: started, ended with a signal, started again. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export class ServerProcess {
  readonly #launch: () => ChildProcess
  readonly #ready: (child: ChildProcess) => Promise<unknown>
  #child: ChildProcess | null = null

  /** @param ready resolves when the server answers */
  constructor(launch: () => ChildProcess, ready: (child: ChildProcess) => Promise<unknown>) {
    this.#launch = launch
    this.#ready = ready
  }

  /** @throws when it ends instead */
  async start(): Promise<void> {
    const child = this.#launch()
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`${child.spawnfile} ended with ${code ?? signal} before it was ready`)
    })
    await Promise.race([this.#ready(child), ended])
    ended.catch(() => undefined)
    this.#child = child
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
}
