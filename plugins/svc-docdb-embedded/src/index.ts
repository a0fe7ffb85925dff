/**
 * svc-docdb-embedded: a small document engine inside the process. It speaks the MongoDB wire protocol on loopback, so
 * drivers and Mongoose use it like a server. It is for development and tests only, and refuses to start in production.
 *
 * Decorates  nothing: it exports a function
 * Hooks      none
 * Needs      nothing
 */
import { DocumentEngine } from './document-engine.ts'
import { EngineFileUnusable } from './errors.ts'
import { type DocumentEngineOptions, readEngineOptions } from './options.ts'
import { type SharedEngine, SharedEngines } from './shared-engine.ts'
import { Catalog } from './storage/catalog.ts'
import { openCatalog } from './storage/file-journal.ts'
import { noJournal } from './storage/journal.ts'

/**
 * Starts an engine and resolves when it listens.
 *
 * @returns the engine: `uri` to connect to, `port`, and `close()`, which stops it and releases its file
 * @throws EngineRefusesProduction, EngineHostRefused, EngineOptionsInvalid, EngineFileUnusable, EnginePortUnusable
 */
export async function startDocumentEngine(options: DocumentEngineOptions = {}): Promise<DocumentEngine> {
  const { port, file, mode } = readEngineOptions(options)
  const catalog = file === null ? new Catalog(noJournal) : openFile(file)
  const engine = new DocumentEngine({ mode, catalog, now: () => new Date() })
  try {
    await engine.listen(port)
  } catch (error) {
    await engine.close()
    throw error
  }
  return engine
}

const shared = new SharedEngines((file) => startDocumentEngine({ file }))

/**
 * Returns the engine of a data file, and starts it if this process has none.
 *
 * @param options.join whether to use the engine of another process that has the file open
 * @throws what `startDocumentEngine` throws
 */
export function shareDocumentEngine(file: string, options: { readonly join: boolean }): Promise<SharedEngine> {
  return shared.open(file, options.join)
}

function openFile(file: string): Catalog {
  try {
    return openCatalog(file)
  } catch (error) {
    throw new EngineFileUnusable(file, error instanceof Error ? error.message : String(error))
  }
}

export type { EngineMode } from './commands/command.ts'
export type { DocumentEngine } from './document-engine.ts'
export * from './errors.ts'
export type { DocumentEngineOptions } from './options.ts'
export type { SharedEngine } from './shared-engine.ts'
