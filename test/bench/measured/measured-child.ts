/** The parent's side of a measured server: start, read, stop. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Reading } from './measured-server.ts'

export class MeasuredChild {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** @param file compiled server module: its URL, or its path from this one, such as `../http/raw-server.js` */
  static async start(file: string, ...args: readonly string[]): Promise<MeasuredChild> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
      env: { ...process.env, NODE_ENV: 'production' }
    })
    const port = await new Promise<number>((resolve, reject) => {
      // A framework may send messages of its own.
      child.on('message', ({ measuredPort }: { measuredPort?: number }) => measuredPort && resolve(measuredPort))
      child.once('exit', (code) => reject(new Error(`${file} ended with code ${code} before it listened`)))
    })
    return new MeasuredChild(child, port)
  }

  async read(): Promise<Reading> {
    const answer = once(this.#child, 'message')
    this.#child.send('read')
    const [reading] = (await answer) as [Reading]
    return reading
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.disconnect()
    await ended
  }
}
