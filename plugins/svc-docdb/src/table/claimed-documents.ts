/**
 * Documents that a caller claims, one after another: each is one command, which finds and changes. The server waits for a
 * document that an open transaction has changed, for as long as that stays open. A claim passes over it instead: the others
 * are found first then, and claimed by their ids. In a transaction it is a conflict; MongoDB says so at once.
 */
import type { Document, Filter, Sort } from 'mongodb'
import { isOverTime } from '../connection/storage-failure.ts'
import type { OperationRunner } from '../transactions/operation-runner.ts'
import type { DocumentAccess, WriteOptions } from './document-access.ts'
import type { DocumentUpdate } from './document-update.ts'

export interface Claim {
  readonly filter: Filter<Document>
  readonly update: DocumentUpdate
  readonly sort: Sort
}

interface ClaimParts {
  readonly runner: OperationRunner
  readonly access: DocumentAccess
}

/** How long the server may look for a document that is free, ms. */
const LOOKS_MS = 1_000
/** How long it may wait for one that it is told, ms. */
const WAITS_MS = 100
/** So many locked ones are passed over. */
const MOST_LOCKED = 20

/** @returns the first documents that meet the filter, at most `limit`, as they are afterwards */
export async function claimDocuments(parts: ClaimParts, claim: Claim, limit: number): Promise<Document[]> {
  const { filter, sort } = claim
  const { inTransaction } = parts.runner
  const claimed: Document[] = []
  while (claimed.length < limit) {
    // The change need not take a row out of what the conditions match.
    const others = { _id: { $nin: claimed.map(({ _id }) => _id as never) } }
    const unclaimed = claimed.length === 0 ? filter : { $and: [filter, others] }
    try {
      const document = await claimOne(parts, { ...claim, filter: unclaimed }, { sort, maxTimeMS: LOOKS_MS })
      if (document === null) break
      claimed.push(document)
    } catch (error) {
      if (inTransaction || !isOverTime(error)) throw error
      return [...claimed, ...(await claimFree(parts, { ...claim, filter: unclaimed }, limit - claimed.length))]
    }
  }
  return claimed
}

/** Those that no open transaction has changed. */
async function claimFree(parts: ClaimParts, claim: Claim, limit: number): Promise<Document[]> {
  const { runner, access } = parts
  const { filter, sort } = claim
  const known = { sort, limit: limit + MOST_LOCKED, projection: { _id: 1 } }
  const claimed: Document[] = []
  for (const { _id } of await runner.run((within) => access.find(filter, { ...known, ...within }))) {
    try {
      const one = { ...claim, filter: { $and: [{ _id }, filter] } }
      const document = await claimOne(parts, one, { maxTimeMS: WAITS_MS })
      if (document !== null) claimed.push(document)
    } catch (error) {
      if (!isOverTime(error)) throw error
    }
    if (claimed.length === limit) break
  }
  return claimed
}

function claimOne({ runner, access }: ClaimParts, { filter, update }: Claim, options: WriteOptions) {
  return runner.runOne((within) => access.updateOne(filter, update, { ...options, ...within }))
}
