/** Options of a transaction, checked before it is opened: what a connector cannot keep is refused, never ignored. */
import { InvalidFindOptions } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'

/**
 * What a transaction sees of others, at least: a database that knows no such level takes a stronger one.
 * `repeatable read`, the default: everything as it stood at the first read; of two that change the same row, or insert
 * the same unique value, one runs again. `serializable`: as if they had run one after the other, also where each only
 * read what the other changed. `read committed`: each read sees what was committed before it; changes may be lost
 * between a read and the write that follows from it.
 */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface TransactionOptions {
  readonly isolation?: Isolation
}

export const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable']

/** A connector, as far as it matters here. */
interface Isolating {
  readonly name: string
  readonly isolations?: readonly Isolation[]
}

/** @throws InvalidFindOptions */
export function readTransactionOptions(
  { name, isolations = ISOLATIONS }: Isolating,
  options: unknown
): TransactionOptions {
  if (options === undefined) return {}
  if (!isRecord(options)) throw new InvalidFindOptions('options of a transaction', 'an object')
  const unknown = Object.keys(options).find((key) => key !== 'isolation')
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'isolation, the one option of a transaction')
  const { isolation } = options
  if (isolation === undefined) return {}
  const known = isolations.find((each) => each === isolation)
  if (known !== undefined) return { isolation: known }
  const way = isolation === 'serializable' ? '; lock what is read instead: find(criteria, { lock: "update" })' : ''
  throw new InvalidFindOptions('isolation', `${isolations.join(', ')}, all that connector ${name} has${way}`)
}
