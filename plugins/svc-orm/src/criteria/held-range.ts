/**
 * Which values a field may hold so that a product with it stays within bounds. Products rise, or fall, with what is
 * multiplied, so the values are a range, whose ends are found by bisection: exact, with the rounding of the database. Pure.
 */
import type { ColumnType } from 'svc-stores/table'

/** The ends of a range, both in it; `null`: no end. */
export interface Ends {
  readonly from: number | bigint | null
  readonly to: number | bigint | null
}

export interface BoundedProduct {
  times(held: number | bigint): number | bigint
  /** Whether the product falls where what is held rises. */
  readonly falls: boolean
  readonly least: number | bigint | null
  readonly greatest: number | bigint | null
  readonly storage: ColumnType
}

/** Every value of a type by its place among them. */
interface Domain {
  readonly first: bigint
  readonly last: bigint
  at(place: bigint): number | bigint
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const SIGN = 0x7fff_ffff_ffff_ffffn
const bits = new DataView(new ArrayBuffer(8))

const INTEGERS: Domain = { first: -SAFE, last: SAFE, at: Number }
const WIDE: Domain = { first: -SIGN - 1n, last: SIGN, at: (place) => place }
/** The bits of doubles have their order, of negative ones the opposite one. */
const FLOATS: Domain = {
  first: -0x7ff0_0000_0000_0000n,
  last: 0x7fef_ffff_ffff_ffffn,
  at: (place) => {
    bits.setBigInt64(0, place < 0n ? place ^ SIGN : place)
    return bits.getFloat64(0)
  }
}

/** @returns `null` where no value is left */
export function rangeWithin({ times, falls, least, greatest, storage }: BoundedProduct): Ends | null {
  const domain = storage === 'float' ? FLOATS : storage === 'bigint' ? WIDE : INTEGERS
  const result = (place: bigint) => times(domain.at(place))
  const isReached = (place: bigint) => least === null || result(place) >= least
  const isPassed = (place: bigint) => greatest !== null && result(place) > greatest
  const [from, behind] = falls
    ? [firstOf(domain, (place) => !isPassed(place)), firstOf(domain, (place) => !isReached(place))]
    : [firstOf(domain, isReached), firstOf(domain, isPassed)]
  if (from >= behind) return null
  return {
    from: from === domain.first ? null : domain.at(from),
    to: behind > domain.last ? null : domain.at(behind - 1n)
  }
}

/** The first place at which a test holds, that holds at all later ones; the one behind the last where it never does. */
function firstOf({ first, last }: Domain, holds: (place: bigint) => boolean): bigint {
  let [low, high] = [first, last + 1n]
  while (low < high) {
    const middle = low + (high - low) / 2n
    if (holds(middle)) high = middle
    else low = middle + 1n
  }
  return low
}
