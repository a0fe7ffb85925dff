/** How a rule that found something fails: one line per finding, without a stack that would only point at the test. */
import { describeFindings, type Finding } from './finding.ts'

/** The part of tap's test object that is used here. */
interface Assertions {
  pass(message: string): unknown
  fail(message: string, extra: { diagnostic: boolean }): unknown
}

export function noFindings(t: Assertions, findings: readonly Finding[], rule: string): void {
  if (findings.length === 0) t.pass(rule)
  for (const finding of describeFindings(findings)) t.fail(finding, { diagnostic: false })
}
