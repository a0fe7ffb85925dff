/** The process of subject-app.ts, seen from the campaign: it can be stopped, killed and started again on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { newStoredKey } from 'svc-security/host'
import { bundledProgram } from '../../support/bundled-program.ts'
import { plainCommand } from '../../support/plain-command.ts'
import type { SubjectNews, SubjectSettings } from './subject-app.ts'

const PROGRAM = fileURLToPath(new URL('./subject-app.js', import.meta.url))
const ERROR = 50

export class Subject {
  readonly #settings: Omit<SubjectSettings, 'port'>
  #child: ChildProcess | null = null
  #port = 0
  #asked = false
  /** Grows with each end and each start: a request that saw it change may lack its answer. */
  lives = 0
  /** What the process must never have done: ended by itself, or left a rejection without a handler. */
  readonly faults: string[] = []
  /** Log entries of level error and above. */
  readonly errors: string[] = []

  constructor(settings: Omit<SubjectSettings, 'port' | 'keySet'> & { readonly keySet?: string }) {
    this.#settings = { keySet: JSON.stringify({ keys: [newStoredKey(0)] }), ...settings }
  }

  /** Another instance of the same application. */
  sibling(settings: Pick<SubjectSettings, 'clockOffMs'> = {}): Subject {
    return new Subject({ ...this.#settings, ...settings })
  }

  get port(): number {
    return this.#port
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get running(): boolean {
    return this.#child !== null
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const settings: SubjectSettings = { ...this.#settings, port: this.#port }
    const [file, args] = plainCommand(process.execPath, [await bundledProgram(PROGRAM), JSON.stringify(settings)])
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' }
    })
    const last: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', (line) => {
        last.push(line)
        if (last.length > 20) last.shift()
        if (levelOf(line) >= ERROR) this.errors.push(line)
      })
    }
    const ended = once(child, 'exit')
    const started = new Promise<number>((resolve) => {
      child.on('message', (news: SubjectNews) => {
        if ('port' in news) resolve(news.port)
        else this.faults.push(`unhandled rejection: ${news.unhandled}`)
      })
    })
    const gone = ended.then(([code, signal]) => {
      throw new Error(`the application ended with ${code ?? signal}: ${last.join('\n')}`)
    })
    this.#port = await Promise.race([started, gone])
    gone.catch((error: Error) => {
      if (!this.#asked) this.faults.push(error.message)
    })
    this.#asked = false
    this.#child = child
    this.lives += 1
  }

  /** @param signal `SIGTERM` lets it finish what it does, `SIGKILL` does not. @returns its exit code */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    if (child === null) return null
    this.#asked = true
    this.#child = null
    this.lives += 1
    const exit = once(child, 'exit')
    child.kill(signal)
    const [code] = (await exit) as [number | null]
    return code
  }
}

function levelOf(line: string): number {
  try {
    return (JSON.parse(line) as { level?: number }).level ?? 0
  } catch {
    return ERROR
  }
}
