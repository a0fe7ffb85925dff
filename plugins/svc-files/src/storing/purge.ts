/**
 * Removes content that no file needs: of files that were removed, and of those that were never kept. The record goes last,
 * so that a purge that is interrupted, or fails, is taken up by the next.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { readableError } from 'svc-kernel/plugin'
import type { FileContent } from '../content/file-content.ts'
import type { FilesConfig } from '../options.ts'
import type { FileStore } from '../records/file-store.ts'

export interface FilePurgeParts {
  readonly store: FileStore
  readonly content: FileContent
  readonly config: Pick<FilesConfig, 'pendingS' | 'removedS'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

const BATCH = 100

/** @returns how many files are gone */
export async function purgeFiles(parts: FilePurgeParts, signal?: AbortSignal): Promise<number> {
  const { store, config, clock } = parts
  await store.expire(clock.now() - config.pendingS * 1000)
  const until = clock.now() - config.removedS * 1000
  let gone = 0
  let last: string | undefined
  for (;;) {
    const batch = await store.removed(until, last, BATCH)
    for (const { id } of batch) {
      if (signal?.aborted === true) return gone
      if (await purged(parts, id)) gone += 1
    }
    if (batch.length < BATCH) return gone
    last = batch.at(-1)?.id
  }
}

/** One file that cannot be removed keeps no other. */
async function purged({ store, content, log }: FilePurgeParts, id: string): Promise<boolean> {
  try {
    await content.remove(id)
  } catch (error) {
    const code = 'SVC_FILES_PURGE'
    log.warn({ code, file: id, error: readableError(error) }, 'the content of a removed file could not be removed')
    return false
  }
  await store.forget(id)
  return true
}
