/** The options of the engine. The engine reads no environment variable; its caller sets `production`. */
import type { EngineMode } from './commands/command.ts'
import { EngineHostRefused, EngineOptionsInvalid, EngineRefusesProduction } from './errors.ts'

/** Where an engine listens and what it keeps. */
export interface DocumentEngineOptions {
  /** Port on loopback; 0, the default, takes a free one. */
  readonly port?: number
  /** Only `127.0.0.1`, which is the default, and `localhost`, which means the same here. */
  readonly host?: string
  /** File that keeps the data; without it, data lives as long as the engine. */
  readonly file?: string
  /** One-member replica set with transactions, the default, or a standalone server without. */
  readonly mode?: EngineMode
  /** Whether the application runs in production; the engine then refuses to start. */
  readonly production?: boolean
}

export interface EngineConfig {
  readonly port: number
  readonly file: string | null
  readonly mode: EngineMode
}

const KNOWN: ReadonlySet<string> = new Set(['port', 'host', 'file', 'mode', 'production'])

/** @throws EngineRefusesProduction, EngineHostRefused, EngineOptionsInvalid */
export function readEngineOptions(given: DocumentEngineOptions): EngineConfig {
  const { port = 0, host = '127.0.0.1', file = null, mode = 'replicaSet', production = false } = given
  const unknown = Object.keys(given).find((key) => !KNOWN.has(key))
  if (unknown !== undefined) throw new EngineOptionsInvalid(`there is no option '${unknown}'`)
  if (typeof production !== 'boolean') throw new EngineOptionsInvalid('production must be true or false')
  if (production) throw new EngineRefusesProduction()
  if (host !== '127.0.0.1' && host !== 'localhost') throw new EngineHostRefused(String(host))
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new EngineOptionsInvalid('port must be a whole number from 0 to 65535')
  if (file !== null && (typeof file !== 'string' || file === '')) throw new EngineOptionsInvalid('file must be a path')
  if (mode !== 'replicaSet' && mode !== 'standalone')
    throw new EngineOptionsInvalid("mode must be 'replicaSet' or 'standalone'")
  return { port, file, mode }
}
