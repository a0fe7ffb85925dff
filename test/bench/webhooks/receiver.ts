/** A receiver of its own process, seen from the benchmark. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export class Receiver {
  readonly #child: ChildProcess
  readonly #port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.#port = port
  }

  static async start(): Promise<Receiver> {
    const child = fork(fileURLToPath(new URL('./patient-sink.js', import.meta.url)))
    const [port] = (await once(child, 'message')) as [number]
    return new Receiver(child, port)
  }

  /** @param ms how long it takes to answer; `null`: for ever */
  url(ms: number | null): string {
    return `http://127.0.0.1:${this.#port}/${ms === null ? 'never' : `after/${ms}`}`
  }

  /** The most connections it has had at once. */
  async mostConnections(): Promise<number> {
    this.#child.send('tell')
    const [most] = (await once(this.#child, 'message')) as [number]
    return most
  }

  /** Its connections are reset. */
  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }
}
