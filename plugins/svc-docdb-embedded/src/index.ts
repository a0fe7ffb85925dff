/**
 * svc-docdb-embedded: a small document engine inside the process. It speaks the MongoDB wire protocol on loopback, so
 * drivers and Mongoose use it like a server. For development and tests only: it refuses production.
 *
 * Decorates  nothing: it exports a function
 * Hooks      none
 * Needs      nothing
 */
import { DocumentEngine } from './document-engine.ts'
import { EngineFileUnusable } from './errors.ts'
import { type DocumentEngineOptions, readEngineOptions } from './options.ts'
import { type SharedEngine, SharedEngines } from './shared-engine.ts'
import { FileJournal } from './storage/file-journal.ts'
import { noJournal } from './storage/journal.ts'

/**
 * Starts an engine and resolves when it listens.
 *
 * @returns the engine: `uri` to connect to, `port`, and `close()`, which ends it and lets its file go
 * @throws EngineRefusesProduction, EngineHostRefused, EngineOptionsInvalid, EngineFileUnusable, EnginePortUnusable
 */
export async function startDocumentEngine(options: DocumentEngineOptions = {}): Promise<DocumentEngine> {
  const { port, file, mode } = readEngineOptions(options)
  const engine =
    file === null ? new DocumentEngine({ mode, journal: noJournal, now, load: () => undefined }) : openFile(file, mode)
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
 * The engine of a data file, started where this process has none for it yet.
 *
 * @param options.join whether the engine of another process will do, where one holds the file
 * @throws what `startDocumentEngine` throws
 */
export function shareDocumentEngine(file: string, options: { readonly join: boolean }): Promise<SharedEngine> {
  return shared.open(file, options.join)
}

function openFile(file: string, mode: 'replicaSet' | 'standalone'): DocumentEngine {
  let journal: FileJournal | null = null
  try {
    const opened = new FileJournal(file)
    journal = opened
    return new DocumentEngine({ mode, journal: opened, now, load: (catalog) => opened.load(catalog) })
  } catch (error) {
    journal?.close()
    throw new EngineFileUnusable(file, error instanceof Error ? error.message : String(error))
  }
}

function now(): Date {
  return new Date()
}

export type { EngineMode } from './commands/command.ts'
export type { DocumentEngine } from './document-engine.ts'
export * from './errors.ts'
export type { DocumentEngineOptions } from './options.ts'
export type { SharedEngine } from './shared-engine.ts'
