/** Documents that a caller claims, one after another: each is one command, which finds and changes. */
import type { Document, Filter, Sort } from 'mongodb'
import type { OperationRunner } from '../transactions/operation-runner.ts'
import type { DocumentAccess } from './document-access.ts'
import type { DocumentUpdate } from './document-update.ts'

export interface Claim {
  readonly filter: Filter<Document>
  readonly update: DocumentUpdate
  readonly sort: Sort
}

/** @returns the first documents that meet the filter, at most `limit`, as they are afterwards */
export async function claimDocuments(
  { runner, access }: { readonly runner: OperationRunner; readonly access: DocumentAccess },
  { filter, update, sort }: Claim,
  limit: number
): Promise<Document[]> {
  const claimed: Document[] = []
  while (claimed.length < limit) {
    // The change need not take a row out of what the conditions match.
    const others = { _id: { $nin: claimed.map(({ _id }) => _id as never) } }
    const unclaimed = claimed.length === 0 ? filter : { $and: [filter, others] }
    const document = await runner.runOne((within) => access.updateOne(unclaimed, update, { sort, ...within }))
    if (document === null) break
    claimed.push(document)
  }
  return claimed
}
