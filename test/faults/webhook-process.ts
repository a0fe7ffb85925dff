/** The server of webhook-child.ts, seen from a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DeliveryRecord, EndpointView } from 'svc-webhooks'
import type { Test } from 'tap'
import { plainCommand } from '../support/plain-command.ts'
import type { Order } from './webhook-child.ts'

const CHILD = fileURLToPath(new URL('./webhook-child.js', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export class WebhookProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<Ended>
  /** Endpoints it found in its store. */
  found: readonly EndpointView[] = []
  #port = 0
  log = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exit = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Ended)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.log += text
    })
  }

  static async start(t: Test, driver: string, deadlineMs: number, database = ''): Promise<WebhookProcess> {
    const [file, args] = plainCommand(process.execPath, [CHILD, driver, String(deadlineMs), database])
    const started = new WebhookProcess(spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }))
    t.teardown(() => started.#child.kill('SIGKILL'))
    const { endpoints, port } = await started.#told<{ endpoints: readonly EndpointView[]; port: number }>()
    started.found = endpoints
    started.#port = port
    return started
  }

  async register(url: string): Promise<{ readonly secret: string }> {
    this.#send({ do: 'register', url })
    return this.#told()
  }

  /** Records failed logins, in one burst. */
  record(count: number): void {
    this.#send({ do: 'record', count })
  }

  /** Records failed logins, in one burst. Resolves when they are stored, and the deliveries that follow from them. */
  async store(count: number): Promise<void> {
    this.#send({ do: 'store', count })
    await this.#told<'stored'>()
  }

  /** A request that records so many events while the server stops. Resolves when it is under way. @returns its answer */
  async askLate(count: number): Promise<{ readonly answer: Promise<string> }> {
    const asked = this.#told<'asked'>()
    const answer = fetch(`http://127.0.0.1:${this.#port}/late/${count}`).then((response) => response.text())
    await Promise.race([asked, answer])
    return { answer }
  }

  /** How many deliveries its log says were lost; `null` where it says nothing. */
  get lost(): number | null {
    const lines = this.log.split('\n').filter((line) => line.includes('SVC_WEBHOOKS_LOST'))
    return lines.length === 1 ? (JSON.parse(lines[0] ?? '{}') as { lost: number }).lost : null
  }

  /** Asks it to stop. What it reports at its end comes before the end itself. */
  async terminate(): Promise<Ended & { readonly deliveries: readonly DeliveryRecord[] }> {
    this.#child.kill('SIGTERM')
    const { deliveries } = await this.#told<{ deliveries: readonly DeliveryRecord[] }>()
    return { ...(await this.#exit), deliveries }
  }

  async kill(): Promise<Ended> {
    this.#child.kill('SIGKILL')
    return this.#exit
  }

  #send(order: Order): void {
    this.#child.send(order)
  }

  async #told<Message>(): Promise<Message> {
    const gone = this.#exit.then((ended) => {
      throw new Error(`the server ended: ${JSON.stringify(ended)} ${this.log}`)
    })
    const [message] = (await Promise.race([once(this.#child, 'message'), gone])) as [Message]
    return message
  }
}
