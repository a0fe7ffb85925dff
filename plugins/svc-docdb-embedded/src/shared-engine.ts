/**
 * One engine per data file, shared by its users: a reload of an application opens the file before the code it replaces
 * has closed it, and a command of the CLI reads the data of a running server. Users in one process are counted; another
 * process finds the address of the engine beside the file.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DocumentEngine } from './document-engine.ts'
import { EngineFileUnusable } from './errors.ts'

/** A share in the engine of a data file. */
export interface SharedEngine {
  readonly uri: string
  /** The last user in this process stops the engine; that of another process keeps running. */
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
   * @param join whether the engine of another process may be used, which can stop at any time
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
      // The disk is full: another process finds the file in use, and no engine to join.
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

/** The address of the engine that holds the file. After a kill it is stale, but then the file can be opened. */
function readAddress(file: string): string | null {
  try {
    const text = readFileSync(addressFile(file), 'utf8').trim()
    return LOOPBACK.test(text) ? text : null
  } catch {
    return null
  }
}
