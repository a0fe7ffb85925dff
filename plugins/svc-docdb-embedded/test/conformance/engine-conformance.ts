/**
 * The conformance suite of document engines: what the stores and repositories of this project rely on, asked over a
 * socket by the driver. Any engine with a URI can be asked; where one is known to differ, it must still differ.
 */
import type { Test } from 'tap'
import { engineClient } from '../support/engine-client.ts'
import type { Check } from './check.ts'
import { crudChecks } from './crud-checks.ts'
import type { Differences } from './differences.ts'
import { indexChecks } from './index-checks.ts'
import { queryChecks } from './query-checks.ts'
import { transactionChecks } from './transaction-checks.ts'
import { updateRefusals } from './update-refusals.ts'

export const CHECKS: readonly Check[] = [
  ...crudChecks,
  ...queryChecks,
  ...updateRefusals,
  ...indexChecks,
  ...transactionChecks
]

/** @param differences checks this engine is known to fail, by name; one that passes after all is a failure of the list */
export async function engineConformance(t: Test, uri: string, differences: Differences): Promise<void> {
  for (const name of Object.keys(differences)) {
    t.ok(
      CHECKS.some((check) => check.name === name),
      `the difference '${name}' names a check`
    )
  }
  for (const check of CHECKS) {
    const known = differences[check.name]
    await t.test(check.name, async (t) => {
      const world = await engineClient(t, uri)
      if (known === undefined) await t.resolves(check.run(world), check.name)
      else await t.rejects(check.run(world), `differs, as listed: ${known}`)
    })
  }
}
