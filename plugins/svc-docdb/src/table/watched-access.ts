/** Publishes the operations on a collection, for who watches requests: their kind and time, never a filter or a document. */
import { publishStatement, requestChannels } from 'svc-kernel'
import type { DocumentAccess } from './document-access.ts'

const OPERATIONS = [
  'find',
  'findOne',
  'exists',
  'count',
  'aggregate',
  'lock',
  'insert',
  'insertEach',
  'updateOne',
  'upsert',
  'update',
  'deleteOne',
  'deleteMany'
] as const satisfies readonly (keyof DocumentAccess)[]

const { statement } = requestChannels

export function watchedAccess(access: DocumentAccess, connector: string, collection: string): DocumentAccess {
  const watched = OPERATIONS.map((kind) => {
    const operation = access[kind].bind(access) as (...given: unknown[]) => Promise<unknown>
    const published = (...given: unknown[]): Promise<unknown> =>
      statement.hasSubscribers
        ? publishStatement({ connector, kind, table: collection }, () => operation(...given))
        : operation(...given)
    return [kind, published]
  })
  return Object.fromEntries(watched) as unknown as DocumentAccess
}
