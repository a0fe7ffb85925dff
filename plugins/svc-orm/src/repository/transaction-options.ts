/** Options of a transaction, checked before it is opened: what a connector cannot keep is refused, never ignored. */
import { ISOLATIONS, type Isolation, type TransactionOptions } from 'svc-stores/table'
import { InvalidFindOptions } from '../errors.ts'
import { isRecord } from '../values/is-record.ts'

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
