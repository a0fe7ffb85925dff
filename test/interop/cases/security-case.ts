/**
 * One case of `test/vectors/security-cases.json` as a test of its own, named by
 * its id and by what the file says about it. Written `securityCase('PAT-01', ...)`
 * at the start of a line, so that the list of what is covered can be read off the files.
 */
import t, { type Test } from 'tap'
import { securityCases } from './security-cases.ts'

/** @param decided what is answered here, where the case leaves it open or says otherwise */
export function securityCase(id: string, body: (t: Test) => Promise<void> | void, decided?: string): void {
  const known = securityCases.get(id)
  if (known === undefined) throw new Error(`there is no case ${id}`)
  const { given, when, then } = known
  void t.test(`${id} ${given}; ${when} -> ${decided ?? then}`, body)
}
