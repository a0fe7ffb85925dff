/** Publishes the operations on a collection, for who watches requests: their kind, time and shape, never a value. */
import { publishStatement, statementsAreHeard } from 'svc-kernel/plugin'
import type { DocumentAccess } from './document-access.ts'
import { filterShape } from './filter-shape.ts'

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
  'updateEach',
  'deleteOne',
  'deleteMany'
] as const satisfies readonly Exclude<keyof DocumentAccess, 'name'>[]

/** Given documents, and no filter. */
const WRITTEN: ReadonlySet<string> = new Set(['lock', 'insert', 'insertEach', 'updateEach'])

export function watchedAccess(access: DocumentAccess, connector: string, collection: string): DocumentAccess {
  const factsOf = (kind: (typeof OPERATIONS)[number], asked: unknown) => {
    const text = WRITTEN.has(kind) ? undefined : filterShape(asked)
    return {
      connector,
      system: 'mongodb',
      kind,
      table: collection,
      ...(text === undefined ? {} : { text: `${kind} ${text}` })
    }
  }
  const watched = OPERATIONS.map((kind) => {
    const operation = access[kind].bind(access) as (...given: unknown[]) => Promise<unknown>
    const published = (...given: unknown[]): Promise<unknown> =>
      statementsAreHeard()
        ? publishStatement(
            () => factsOf(kind, given[0]),
            () => operation(...given),
            rowsOf
          )
        : operation(...given)
    return [kind, published]
  })
  return { ...Object.fromEntries(watched), name: access.name } as unknown as DocumentAccess
}

/** Documents, or how many of them. */
function rowsOf(result: unknown): number | undefined {
  if (Array.isArray(result)) return result.length
  return typeof result === 'number' ? result : undefined
}
