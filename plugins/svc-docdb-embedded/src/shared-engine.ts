/**
 * One engine per data file, for all who ask for it: a reload of an application opens the file before the code it
 * replaces has let it go, and a command looks at the data of a server that runs. In one process they count as users
 * of one engine; another process finds its address beside the file.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DocumentEngine } from './document-engine.ts'
import { EngineFileUnusable } from './errors.ts'

export interface SharedEngine {
  readonly uri: string
  /** Ends the engine with its last user in this process; that of another process stays. */
  close(): Promise<void>
}

interface RunningEngine {
  readonly engine: Promise<DocumentEngine>
  users: number
}

const LOOPBACK = /^mongodb:\/\/127\.0\.0\.1:\d{1,5}\/\?(?:replicaSet=\w+|directConnection=true)$/

export class SharedEngines {
  readonly #start: (file: string) => Promise<DocumentEngine>
  readonly #running = new Map<string, RunningEngine>()

  constructor(start: (file: string) => Promise<DocumentEngine>) {
    this.#start = start
  }

  /**
   * @param join whether the engine of another process will do; it ends without asking
   * @throws EngineFileUnusable
   */
  async open(given: string, join: boolean): Promise<SharedEngine> {
    const file = resolve(given)
    const known = this.#running.get(file)
    const running = known ?? { engine: this.#begin(file), users: 0 }
    running.users += 1
    this.#running.set(file, running)
    try {
      const { uri } = await running.engine
      let open = true
      const close = async (): Promise<void> => {
        if (open) await this.#leave(file, running)
        open = false
      }
      return { uri, close }
    } catch (error) {
      this.#running.delete(file)
      const elsewhere = join && error instanceof EngineFileUnusable ? readAddress(file) : null
      if (elsewhere === null) throw error
      return { uri: elsewhere, close: () => Promise.resolve() }
    }
  }

  async #begin(file: string): Promise<DocumentEngine> {
    const engine = await this.#start(file)
    try {
      writeFileSync(addressFile(file), engine.uri, { mode: 0o600 })
    } catch {
      // No room for it: a command then finds the file in use, and no server to join.
    }
    return engine
  }

  async #leave(file: string, running: RunningEngine): Promise<void> {
    running.users -= 1
    if (running.users > 0) return
    this.#running.delete(file)
    rmSync(addressFile(file), { force: true })
    await (await running.engine).close()
  }
}

function addressFile(file: string): string {
  return `${file}.address`
}

/** Of the engine that holds the file; one that was killed left it behind, and holds nothing. */
function readAddress(file: string): string | null {
  try {
    const text = readFileSync(addressFile(file), 'utf8').trim()
    return LOOPBACK.test(text) ? text : null
  } catch {
    return null
  }
}
