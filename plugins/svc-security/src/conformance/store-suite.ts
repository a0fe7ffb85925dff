/** The form of a suite of this package: cases by name, those that every store shares, each operation once for an outage. */
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  oneWinner,
  runCases
} from 'svc-stores/conformance'

/** Each gets an empty store of its own, and a clock that stands still. */
export type StoreCases<Store> = Readonly<Record<string, ConformanceCase<Store>[1]>>

/** Proves a store. `runner` is tap's `t`, or any runner with `test(name, body)`. */
export type StoreSuite<Store extends object> = (
  runner: ConformanceRunner,
  subject: ConformanceSubject<Store>
) => Promise<void>

export function storeSuite<Store extends object>(
  operations: Operations<Store>,
  cases: StoreCases<Store>,
  ...shared: readonly ConformanceCase<Store>[][]
): StoreSuite<Store> {
  const all = [...Object.entries(cases), ...shared.flat()]
  return (runner, subject) => runCases(runner, all, subject, operations)
}

/** Of calls made at once one is answered, the others are refused. */
export async function oneAnswered(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  const answered = (index: number) =>
    call(index).then(
      () => true,
      () => false
    )
  oneWinner(await atOnce(count, answered))
}

export function idsOf(records: readonly { readonly id: string }[]): string[] {
  return records.map(({ id }) => id)
}
